# pip install flask standardwebhooks
import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])


@app.post("/hook")
def hook():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    handle(event)  # yours; if it raises, the event is sent again
    return "", 204


def handle(event):
    print(event["type"], event["sequence"], flush=True)
