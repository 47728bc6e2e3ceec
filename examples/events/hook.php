<?php
require __DIR__ . '/Svc.php';

try {
    $event = Svc::verifyWebhook(file_get_contents('php://input'), getallheaders(), getenv('SVC_WEBHOOK_SECRET'));
} catch (SvcException $error) {
    http_response_code(400);
    exit;
}
handle($event); // yours; if it throws, the event is sent again
http_response_code(204);

function handle(array $event): void
{
    error_log("{$event['type']} {$event['sequence']}");
}
