<?php

/**
 * Reports affiliate clicks, signups, sales and refunds to the attribution service, and verifies its webhooks.
 *
 * One file for PHP 8.0 and newer, without dependencies. Settings come from SVC_API_KEY and SVC_API_URL.
 *
 *     require 'Svc.php';
 *
 *     $svc = new Svc();
 *     $result = $svc->sale(['transaction_id' => 'order_1', 'customer_key' => 'user_42', 'amount_cents' => 4900]);
 *     if (!$result->ok && $result->error->isRetryable) {
 *         // Report it again later; the same transaction_id is never counted twice.
 *     }
 *
 * The bodies are those of the API: https://track.example.com/docs
 */

declare(strict_types=1);

/** Why an event was not recorded, or a webhook not accepted. Its code is in `errorCode`. */
final class SvcException extends RuntimeException
{
    public function __construct(
        string $message,
        public string $errorCode,
        public int $status = 0,
        public ?string $requestId = null,
        public ?string $hint = null,
        public ?int $retryAfter = null,
        public bool $isRetryable = false,
    ) {
        parent::__construct($message);
    }
}

/**
 * What became of an event. `ok` is true when there is nothing left to do. `outcome` is `recorded` (`reply` has the service's
 * answer), `already_recorded`, `commission_pending`, `unattributed` (`reason` says why) or `failed` (`error` says why).
 */
final class SvcResult
{
    public bool $ok;

    public function __construct(
        public string $outcome,
        public ?array $reply = null,
        public ?string $reason = null,
        public ?SvcException $error = null,
    ) {
        $this->ok = $outcome !== 'failed';
    }
}

/** A client for one program. No method that reports throws, and none takes longer than its timeout. */
final class Svc
{
    public const VERSION = "0.0.0";
    /** The service that this file was downloaded from. */
    private const DEFAULT_API_URL = "";

    private const MAX_ANSWER_BYTES = 1 << 20;

    /** Refusals after which there is nothing left to do: event, status, start of the message, outcome, reason. */
    private const SETTLED = [
        ['lead', 400, 'Customer status cannot be updated to lead', 'already_recorded', null],
        ['lead', 400, 'Customer not found', 'unattributed', 'customer_not_found'],
        ['sale', 400, 'Customer not found', 'unattributed', 'customer_not_found'],
        ['sale', 400, 'No affiliate attribution found', 'unattributed', 'no_attribution'],
        ['sale', 400, 'No partner-program relationship found', 'unattributed', 'no_relationship'],
        ['sale', 409, 'Duplicate transaction_id', 'already_recorded', null],
        ['sale', 500, 'Failed to create commission', 'commission_pending', null],
        ['refund', 404, 'Sale not found', 'unattributed', 'sale_not_found'],
    ];

    private const CODES = [
        400 => 'invalid_request',
        401 => 'unauthorized',
        403 => 'forbidden',
        404 => 'not_found',
        409 => 'conflict',
        429 => 'rate_limited',
    ];

    public function __construct(
        private ?string $apiKey = null,
        private ?string $apiUrl = null,
        private float $timeoutSeconds = 3.0,
    ) {
    }

    /** Reports a click, where no tracker runs. Save `$result->reply['click_id']` in the cookie `svc_click_id`. */
    public function click(array $body): SvcResult
    {
        return $this->report('click', $body);
    }

    /** Reports a signup. */
    public function lead(array $body): SvcResult
    {
        return $this->report('lead', $body);
    }

    /** Reports a payment. Safe to repeat with the same `transaction_id`. */
    public function sale(array $body): SvcResult
    {
        return $this->report('sale', $body);
    }

    /** Reports a refund. A partial one is safe to repeat with the same `refund_id`. */
    public function refund(array $body): SvcResult
    {
        return $this->report('refund', $body);
    }

    /** The visitor's click id from the cookies of the request, or null. */
    public static function clickId(?array $cookies = null): ?string
    {
        $value = ($cookies ?? $_COOKIE)['svc_click_id'] ?? null;
        return is_string($value) && preg_match('/^cust_\d+_\d+$/D', $value) ? $value : null;
    }

    /**
     * Verifies a delivery and returns its event. `$body` is `file_get_contents('php://input')`, `$headers` is `getallheaders()`,
     * `$secret` is the secret of the endpoint, or an array of them while one is being replaced. Throws a SvcException with the
     * code `invalid_signature` for anything that the service has not signed within the tolerance.
     */
    public static function verifyWebhook(
        string $body,
        array $headers,
        string|array $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): array {
        $keys = array_map([self::class, 'secretBytes'], (array) $secret);
        if ($keys === []) {
            throw self::badSecret();
        }
        $named = array_change_key_case($headers);
        $header = fn (string $name): string => (string) (is_array($named[$name] ?? null) ? $named[$name][0] : $named[$name] ?? '');
        [$id, $timestamp, $signatures] = array_map($header, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
        if ($id === '' || $timestamp === '' || $signatures === '') {
            throw self::invalid('The request lacks a webhook-id, webhook-timestamp or webhook-signature header');
        }
        if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
            throw self::invalid('The webhook-timestamp header is not a time in seconds');
        }
        $age = ($now ?? time()) - (int) $timestamp;
        if ($age > $toleranceSeconds) {
            throw self::invalid('The delivery is too old');
        }
        if ($age < -$toleranceSeconds) {
            throw self::invalid('The delivery is from the future: check the clock of this server');
        }
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $signatures) as $given) {
                if (hash_equals($expected, $given)) {
                    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
                }
            }
        }
        throw self::invalid('No signature fits the body and the secret');
    }

    private function report(string $event, array $body): SvcResult
    {
        try {
            [$url, $headers, $data] = $this->request($event, $body);
        } catch (SvcException $error) {
            return new SvcResult('failed', error: $error);
        }
        // The same bytes with the same key until the answer is final or the time is up.
        $deadline = microtime(true) + $this->timeoutSeconds;
        for ($wait = 0.25; ; $wait *= 2) {
            $result = self::send($event, $url, $headers, $data, $deadline);
            if ($result->ok || !$result->error->isRetryable) {
                return $result;
            }
            $pause = $result->error->retryAfter ?? $wait * random_int(75, 125) / 100;
            if (microtime(true) + $pause >= $deadline) {
                return $result;
            }
            usleep((int) ($pause * 1_000_000));
        }
    }

    /** @return array{string, string[], string} */
    private function request(string $event, array $body): array
    {
        $url = $this->apiUrl ?: (getenv('SVC_API_URL') ?: self::DEFAULT_API_URL);
        $key = $this->apiKey ?: (string) getenv('SVC_API_KEY');
        if (!preg_match('#^https?://[^\s/]#', $url)) {
            throw new SvcException('Set SVC_API_URL to the URL of the service', 'not_configured');
        }
        if ($event !== 'click' && $key === '') {
            throw new SvcException('Set SVC_API_KEY to the API key of the program', 'not_configured');
        }
        if ($event !== 'click' && !preg_match('/^[\x21-\x7e]+$/D', $key)) {
            throw new SvcException('SVC_API_KEY has characters that no API key has', 'not_configured');
        }
        try {
            // An empty array would become a list.
            $data = json_encode($body ?: new stdClass(), JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        } catch (JsonException $error) {
            throw new SvcException("The event cannot be written as JSON: {$error->getMessage()}", 'invalid_request');
        }
        $headers = ['Accept: application/json', 'Content-Type: application/json', 'User-Agent: svc-php/' . self::VERSION];
        if ($event !== 'click') {
            // Clicks need no key.
            $headers[] = "Authorization: Bearer $key";
            $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16));
        }
        return [rtrim($url, '/') . "/api/v1/track/$event", $headers, $data];
    }

    private static function send(string $event, string $url, array $headers, string $data, float $deadline): SvcResult
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => implode("\r\n", [...$headers, 'Connection: close']),
            'content' => $data,
            'timeout' => max(0.001, $deadline - microtime(true)),
            'follow_location' => 0,
            'ignore_errors' => true,
            'protocol_version' => 1.1,
        ]]);
        $stream = @fopen($url, 'r', false, $context);
        if ($stream === false) {
            $why = preg_replace('/^.*: /s', '', error_get_last()['message'] ?? 'no connection');
            // Streams count in milliseconds and can give up a little early.
            return self::noAnswer($why, microtime(true) >= $deadline - 0.05);
        }
        $answer = '';
        while (!feof($stream) && strlen($answer) < self::MAX_ANSWER_BYTES) {
            $left = $deadline - microtime(true);
            if ($left <= 0) {
                break;
            }
            // A timeout of a stream is for each read, so a slow answer is read in parts.
            stream_set_timeout($stream, (int) $left, (int) (fmod($left, 1) * 1_000_000));
            $part = fread($stream, 8192);
            if ($part === false || ($part === '' && stream_get_meta_data($stream)['timed_out'])) {
                break;
            }
            $answer .= $part;
        }
        $isWhole = feof($stream);
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        fclose($stream);
        return $isWhole ? self::judge($event, $lines, $answer) : self::noAnswer('timed out', true);
    }

    private static function judge(string $event, array $lines, string $answer): SvcResult
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $found)) {
                [$status, $headers] = [(int) $found[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
        }
        $body = json_decode($answer, true);
        $body = is_array($body) ? $body : [];
        if ($status >= 200 && $status < 300 && ($body['success'] ?? null) === true) {
            $facts = is_array($body['data'] ?? null) ? $body['data'] : [];
            $isUnattributed = ($facts['attributed'] ?? null) === false && empty($facts['test_mode']);
            return $isUnattributed
                ? new SvcResult('unattributed', reply: $body, reason: $facts['reason'] ?? null)
                : new SvcResult('recorded', reply: $body);
        }
        $told = is_array($body['error'] ?? null) ? $body['error'] : [];
        $message = is_string($told['message'] ?? null) ? $told['message'] : '';
        foreach (self::SETTLED as [$of, $when, $start, $outcome, $reason]) {
            if ($of === $event && $when === $status && str_starts_with($message, $start)) {
                return new SvcResult($outcome, reason: $reason);
            }
        }
        $retryAfter = ctype_digit($headers['retry-after'] ?? '') ? max(1, (int) $headers['retry-after']) : null;
        $isFinal = $status < 500 && !in_array($status, [408, 429], true)
            && !($status === 409 && $retryAfter !== null);
        if ($message === '') {
            $message = "The service answered with status $status";
            $message .= $status < 400 ? ', but not as the service does: check SVC_API_URL' : '';
        }
        $code = $told['code'] ?? self::CODES[$status] ?? ($status >= 500 ? 'service_failed' : 'unexpected_response');
        $error = new SvcException(
            $message,
            $code,
            $status,
            $headers['x-request-id'] ?? null,
            $told['hint'] ?? null,
            $retryAfter,
            !$isFinal,
        );
        return new SvcResult('failed', error: $error);
    }

    private static function noAnswer(string $why, bool $isLate): SvcResult
    {
        $code = $isLate ? 'timeout' : 'unreachable';
        return new SvcResult('failed', error: new SvcException("No answer from the service ($why)", $code, isRetryable: true));
    }

    private static function secretBytes(mixed $secret): string
    {
        $text = is_string($secret) ? preg_replace('/^whsec_/', '', $secret) : '';
        $key = base64_decode($text, true);
        if ($key === false || $key === '') {
            throw self::badSecret();
        }
        return $key;
    }

    private static function badSecret(): SvcException
    {
        return new SvcException('The webhook secret is missing or incomplete: it is whsec_ and base64', 'not_configured');
    }

    private static function invalid(string $message): SvcException
    {
        return new SvcException($message, 'invalid_signature');
    }
}
