// Command stub answers every POST with one small chat completion: as fast as a backend can be, so that what is
// measured in front of it is not the backend.
//
//	go run stub.go 127.0.0.1:9001
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

var reply = []byte(`{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-4o","choices":[` +
	`{"index":0,"message":{"role":"assistant","content":"Hello from the stub."},"finish_reason":"stop"}],` +
	`"usage":{"prompt_tokens":60,"completion_tokens":40,"total_tokens":100}}`)

func answer(writer http.ResponseWriter, request *http.Request) {
	if _, err := io.Copy(io.Discard, request.Body); err != nil {
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	if _, err := writer.Write(reply); err != nil {
		log.Print(err)
	}
}

func main() {
	log.Fatal(http.ListenAndServe(os.Args[1], http.HandlerFunc(answer)))
}
