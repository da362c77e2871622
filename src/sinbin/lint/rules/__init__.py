"""The rules, one module each, named by id and name: `sb301_pool_with_one_member.py`.

The module is the registration: there is no list to edit. The first digit says what a rule is about: 1 the policy
document, 2 the C# of policy expressions, 3 backends, breakers and pools, 4 limits, quota and model deployments,
5 security, 6 observability and cost. SB0xx is sinbin itself, SB9xx belongs to users' own rules.

The number also says what a rule needs: SB1xx and SB2xx judge policies, SB3xx resources and stack files, the others
policies below x50 and resources from there on. A run over policies alone does not even import the rest.
"""
