<?php

// Makes the calls that the test passes as JSON, and prints what came of them.

require $argv[1] . '/Svc.php';

function errorOf(?SvcException $error): ?array
{
    return $error ? [
        'code' => $error->errorCode,
        'status' => $error->status,
        'message' => $error->getMessage(),
        'requestId' => $error->requestId,
        'isRetryable' => $error->isRetryable,
    ] : null;
}

function make(array $call): array
{
    if ($call['do'] === 'verify') {
        try {
            return ['event' => Svc::verifyWebhook($call['body'], $call['headers'], $call['secrets'])];
        } catch (SvcException $error) {
            return ['error' => errorOf($error)];
        }
    }
    if ($call['do'] === 'clickId') {
        parse_str(strtr($call['cookie'], ['; ' => '&']), $cookies);
        return ['clickId' => Svc::clickId($cookies)];
    }
    $svc = new Svc(apiUrl: $call['url'] ?? null, timeoutSeconds: $call['seconds'] ?? 3.0);
    $result = $svc->{$call['do']}($call['body']);
    return [
        'ok' => $result->ok,
        'outcome' => $result->outcome,
        'reply' => $result->reply,
        'reason' => $result->reason,
        'error' => errorOf($result->error),
    ];
}

echo json_encode(array_map('make', json_decode(stream_get_contents(STDIN), true)), JSON_THROW_ON_ERROR);
