// Package svc reports affiliate clicks, signups, sales and refunds to the attribution service, and verifies its webhooks.
//
// One file for Go 1.18 and newer, without dependencies. Settings come from SVC_API_KEY and SVC_API_URL.
//
//	client := svc.New(svc.Options{})
//	result := client.Sale(ctx, svc.Body{"transaction_id": "order_1", "customer_key": "user_42", "amount_cents": 4900})
//	if !result.OK && result.Err.Retryable {
//		// Report it again later; the same transaction_id is never counted twice.
//	}
//
// The bodies are those of the API: https://track.example.com/docs
package svc

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Version of this file.
const Version = "0.0.0"

// The service that this file was downloaded from.
const defaultAPIURL = ""

const (
	defaultTimeout   = 3 * time.Second
	defaultTolerance = 5 * time.Minute
	maxAnswerBytes   = 1 << 20
)

// Body has the fields of an event, as the API names them.
type Body map[string]interface{}

// Error tells why an event was not recorded, or a webhook not accepted.
type Error struct {
	Message    string
	Code       string
	Status     int
	RequestID  string
	Hint       string
	RetryAfter time.Duration
	// Whether the same call may succeed later.
	Retryable bool
}

func (e *Error) Error() string { return e.Message }

// Result tells what became of an event. OK is true when there is nothing left to do. Outcome is "recorded" (Reply has the
// service's answer), "already_recorded", "commission_pending", "unattributed" (Reason says why) or "failed" (Err says why).
type Result struct {
	OK      bool
	Outcome string
	Reply   map[string]interface{}
	Reason  string
	Err     *Error
}

// Options of a client. What is left out comes from the environment.
type Options struct {
	APIKey string
	APIURL string
	// How long a call may take, retries included: three seconds unless set.
	Timeout time.Duration
	// Replaces the HTTP client, for a proxy of your own. Redirects are never followed.
	HTTPClient *http.Client
}

// Client reports the events of one program. It is safe for concurrent use.
type Client struct {
	options Options
	http    http.Client
}

// New creates a client.
func New(options Options) *Client {
	if options.Timeout <= 0 {
		options.Timeout = defaultTimeout
	}
	client := &Client{options: options}
	if options.HTTPClient != nil {
		client.http = *options.HTTPClient
	}
	client.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// Click reports a click, where no tracker runs. Save Reply["click_id"] in the cookie svc_click_id.
func (c *Client) Click(ctx context.Context, body Body) Result { return c.report(ctx, "click", body) }

// Lead reports a signup.
func (c *Client) Lead(ctx context.Context, body Body) Result { return c.report(ctx, "lead", body) }

// Sale reports a payment. It is safe to repeat with the same transaction_id.
func (c *Client) Sale(ctx context.Context, body Body) Result { return c.report(ctx, "sale", body) }

// Refund reports a refund. A partial one is safe to repeat with the same refund_id.
func (c *Client) Refund(ctx context.Context, body Body) Result { return c.report(ctx, "refund", body) }

type settled struct {
	event           string
	status          int
	start           string
	outcome, reason string
}

// Refusals after which there is nothing left to do.
var settledRefusals = []settled{
	{"lead", 400, "Customer status cannot be updated to lead", "already_recorded", ""},
	{"lead", 400, "Customer not found", "unattributed", "customer_not_found"},
	{"sale", 400, "Customer not found", "unattributed", "customer_not_found"},
	{"sale", 400, "No affiliate attribution found", "unattributed", "no_attribution"},
	{"sale", 400, "No partner-program relationship found", "unattributed", "no_relationship"},
	{"sale", 409, "Duplicate transaction_id", "already_recorded", ""},
	{"sale", 500, "Failed to create commission", "commission_pending", ""},
	{"refund", 404, "Sale not found", "unattributed", "sale_not_found"},
}

var codes = map[int]string{
	400: "invalid_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 429: "rate_limited",
}

func failed(err *Error) Result { return Result{Outcome: "failed", Err: err} }

func (c *Client) report(ctx context.Context, event string, body Body) Result {
	target, headers, data, err := c.request(event, body)
	if err != nil {
		return failed(err)
	}
	// The same bytes with the same key until the answer is final or the time is up.
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	for wait := 250 * time.Millisecond; ; wait *= 2 {
		result := c.send(ctx, event, target, headers, data)
		if result.OK || !result.Err.Retryable {
			return result
		}
		pause := result.Err.RetryAfter
		if pause == 0 {
			pause = time.Duration(float64(wait) * (0.75 + mathrand.Float64()/2))
		}
		deadline, _ := ctx.Deadline()
		if time.Now().Add(pause).After(deadline) {
			return result
		}
		select {
		case <-ctx.Done():
			return result
		case <-time.After(pause):
		}
	}
}

var isAPIKey = regexp.MustCompile(`^[\x21-\x7e]+$`)

func (c *Client) request(event string, body Body) (string, http.Header, []byte, *Error) {
	base := firstSet(c.options.APIURL, os.Getenv("SVC_API_URL"), defaultAPIURL)
	key := firstSet(c.options.APIKey, os.Getenv("SVC_API_KEY"))
	address, err := url.Parse(base)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return "", nil, nil, notConfigured("Set SVC_API_URL to the URL of the service")
	}
	headers := http.Header{}
	headers.Set("Accept", "application/json")
	headers.Set("Content-Type", "application/json")
	headers.Set("User-Agent", "svc-go/"+Version)
	if event != "click" {
		// Clicks need no key.
		if key == "" {
			return "", nil, nil, notConfigured("Set SVC_API_KEY to the API key of the program")
		}
		if !isAPIKey.MatchString(key) {
			return "", nil, nil, notConfigured("SVC_API_KEY has characters that no API key has")
		}
		random := make([]byte, 16)
		if _, err := rand.Read(random); err != nil {
			return "", nil, nil, &Error{Message: "No random numbers: " + err.Error(), Code: "unreachable", Retryable: true}
		}
		headers.Set("Authorization", "Bearer "+key)
		headers.Set("Idempotency-Key", hex.EncodeToString(random))
	}
	if body == nil {
		body = Body{}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return "", nil, nil, &Error{Message: "The event cannot be written as JSON: " + err.Error(), Code: "invalid_request"}
	}
	return strings.TrimRight(base, "/") + "/api/v1/track/" + event, headers, data, nil
}

func firstSet(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

func notConfigured(message string) *Error { return &Error{Message: message, Code: "not_configured"} }

func (c *Client) send(ctx context.Context, event, target string, headers http.Header, data []byte) Result {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(data))
	if err != nil {
		return failed(notConfigured("Set SVC_API_URL to the URL of the service"))
	}
	request.Header = headers.Clone()
	response, err := c.http.Do(request)
	if err != nil {
		return noAnswer(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		return noAnswer(err)
	}
	return judge(event, response, answer)
}

func noAnswer(err error) Result {
	code := "unreachable"
	var netErr net.Error
	if errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &netErr) && netErr.Timeout()) {
		code = "timeout"
	}
	return failed(&Error{Message: fmt.Sprintf("No answer from the service (%v)", err), Code: code, Retryable: true})
}

func judge(event string, response *http.Response, answer []byte) Result {
	status := response.StatusCode
	body := map[string]interface{}{}
	// An answer that is not an object says nothing.
	_ = json.Unmarshal(answer, &body)
	if status >= 200 && status < 300 && body["success"] == true {
		facts, _ := body["data"].(map[string]interface{})
		if facts["attributed"] == false && facts["test_mode"] != true {
			return Result{OK: true, Outcome: "unattributed", Reply: body, Reason: textOf(facts["reason"])}
		}
		return Result{OK: true, Outcome: "recorded", Reply: body}
	}
	told, _ := body["error"].(map[string]interface{})
	message := textOf(told["message"])
	for _, refusal := range settledRefusals {
		if refusal.event == event && refusal.status == status && strings.HasPrefix(message, refusal.start) {
			return Result{OK: true, Outcome: refusal.outcome, Reason: refusal.reason}
		}
	}
	failure := &Error{
		Message:   message,
		Code:      firstSet(textOf(told["code"]), codes[status]),
		Status:    status,
		RequestID: response.Header.Get("X-Request-Id"),
		Hint:      textOf(told["hint"]),
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds >= 0 && seconds < 1e6 {
		if seconds == 0 {
			seconds = 1
		}
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	isFinal := status < 500 && status != 408 && status != 429 && !(status == 409 && failure.RetryAfter > 0)
	failure.Retryable = !isFinal
	if failure.Message == "" {
		failure.Message = fmt.Sprintf("The service answered with status %d", status)
		if status < 400 {
			failure.Message += ", but not as the service does: check SVC_API_URL"
		}
	}
	if failure.Code == "" && status >= 500 {
		failure.Code = "service_failed"
	} else if failure.Code == "" {
		failure.Code = "unexpected_response"
	}
	return failed(failure)
}

func textOf(value interface{}) string {
	text, _ := value.(string)
	return text
}

var isClickID = regexp.MustCompile(`^cust_[0-9]+_[0-9]+$`)

// ClickID returns the visitor's click id from the cookies of a request, or an empty string.
func ClickID(request *http.Request) string {
	cookie, err := request.Cookie("svc_click_id")
	if err != nil || !isClickID.MatchString(cookie.Value) {
		return ""
	}
	return cookie.Value
}

// Event is what a webhook tells. Data has the fields that docs/events lists for its Type.
type Event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	ProgramID int64     `json:"program_id"`
	// Counts 1, 2, 3, … within the program; 0 for a test that is sent from the dashboard.
	Sequence int64           `json:"sequence"`
	Data     json.RawMessage `json:"data"`
	// The whole event as it was sent.
	Raw json.RawMessage `json:"-"`
}

// VerifyWebhook verifies a delivery and returns its event. The body is the body as it was received, before it is parsed. While
// a secret is being replaced, pass both. Anything that the service has not signed within five minutes is an *Error with the
// code "invalid_signature".
func VerifyWebhook(body []byte, headers http.Header, secrets ...string) (*Event, error) {
	return VerifyWebhookAt(time.Now(), defaultTolerance, body, headers, secrets...)
}

// VerifyWebhookAt is VerifyWebhook with a time and a tolerance of its caller.
func VerifyWebhookAt(now time.Time, tolerance time.Duration, body []byte, headers http.Header, secrets ...string) (*Event, error) {
	badSecret := notConfigured("The webhook secret is missing or incomplete: it is whsec_ and base64")
	keys := make([][]byte, 0, len(secrets))
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, badSecret
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, badSecret
	}
	id, timestamp, signatures := headers.Get("webhook-id"), headers.Get("webhook-timestamp"), headers.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, invalid("The request lacks a webhook-id, webhook-timestamp or webhook-signature header")
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, invalid("The webhook-timestamp header is not a time in seconds")
	}
	age := now.Sub(time.Unix(int64(seconds), 0))
	if age > tolerance {
		return nil, invalid("The delivery is too old")
	}
	if age < -tolerance {
		return nil, invalid("The delivery is from the future: check the clock of this server")
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, given := range strings.Fields(signatures) {
			if hmac.Equal([]byte(given), expected) {
				event := &Event{Raw: body}
				return event, json.Unmarshal(body, event)
			}
		}
	}
	return nil, invalid("No signature fits the body and the secret")
}

func invalid(message string) *Error { return &Error{Message: message, Code: "invalid_signature"} }
