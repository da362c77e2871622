"""What `pulumi up` runs."""

from stacks.program import main

main()
