# pip install flask
import os

from flask import Flask, request
from svc import SvcError, verify_webhook

app = Flask(__name__)


@app.post("/hook")
def hook():
    try:
        event = verify_webhook(request.get_data(), request.headers, os.environ["SVC_WEBHOOK_SECRET"])
    except SvcError:
        return "", 400
    handle(event)  # yours; if it raises, the event is sent again
    return "", 204


def handle(event):
    print(event["type"], event["sequence"], flush=True)
