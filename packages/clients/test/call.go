// Makes the calls that the test passes as JSON, and prints what came of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"

	"calls/svc"
)

type call struct {
	Do      string
	Body    json.RawMessage
	URL     string
	Seconds float64
	Headers map[string]string
	Secrets []string
	Cookie  string
}

type object = map[string]interface{}

func errorOf(err *svc.Error) interface{} {
	if err == nil {
		return nil
	}
	return object{
		"code": err.Code, "status": err.Status, "message": err.Message, "requestId": err.RequestID, "isRetryable": err.Retryable,
	}
}

func verify(c call) object {
	var body string
	must(json.Unmarshal(c.Body, &body))
	headers := http.Header{}
	for name, value := range c.Headers {
		headers.Set(name, value)
	}
	event, err := svc.VerifyWebhook([]byte(body), headers, c.Secrets...)
	var refusal *svc.Error
	if errors.As(err, &refusal) {
		return object{"error": errorOf(refusal)}
	}
	must(err)
	return object{"event": event.Raw, "type": event.Type, "sequence": event.Sequence}
}

func report(c call) object {
	var body svc.Body
	must(json.Unmarshal(c.Body, &body))
	client := svc.New(svc.Options{APIURL: c.URL, Timeout: time.Duration(c.Seconds * float64(time.Second))})
	send := map[string]func(context.Context, svc.Body) svc.Result{
		"click": client.Click, "lead": client.Lead, "sale": client.Sale, "refund": client.Refund,
	}[c.Do]
	result := send(context.Background(), body)
	return object{
		"ok": result.OK, "outcome": result.Outcome, "reply": result.Reply, "reason": result.Reason, "error": errorOf(result.Err),
	}
}

func answer(c call) object {
	switch c.Do {
	case "verify":
		return verify(c)
	case "clickId":
		return object{"clickId": svc.ClickID(&http.Request{Header: http.Header{"Cookie": {c.Cookie}}})}
	default:
		return report(c)
	}
}

func main() {
	var calls []call
	must(json.NewDecoder(os.Stdin).Decode(&calls))
	answers := []object{}
	for _, c := range calls {
		answers = append(answers, answer(c))
	}
	must(json.NewEncoder(os.Stdout).Encode(answers))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
