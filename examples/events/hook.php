<?php
// composer require standard-webhooks/standard-webhooks
require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

$headers = array_change_key_case(getallheaders());
try {
    $webhook = new Webhook(getenv('SVC_WEBHOOK_SECRET'));
    $event = $webhook->verify(file_get_contents('php://input'), $headers);
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit;
}
handle($event); // yours; if it throws, the event is sent again
http_response_code(204);

function handle(array $event): void
{
    error_log("{$event['type']} {$event['sequence']}");
}
