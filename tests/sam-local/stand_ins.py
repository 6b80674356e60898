"""Serves a stand-in of AWS Secrets Manager (moto) and one of a provider to containers: `stand_ins.py ADDRESS`.

The provider writes prompts for who has the key that is in the secret, and refuses everybody else. Prints both addresses as one line of JSON.
"""

import json
import logging
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ.update(AWS_DEFAULT_REGION="us-east-1", AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")

import boto3
from moto.server import ThreadedMotoServer

KEY = "sk-of-the-secret"
NAME = "visibility-providers"


class Provider(BaseHTTPRequestHandler):
    """Answers OpenAI's Responses API with prompts."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.headers["Authorization"] == f"Bearer {KEY}":
            # The first number of the task is the number of prompts.
            count = int(re.search(r"Write (\d+) different questions", body)[1])
            text = json.dumps({"prompts": [f"Which of {number + 2} running shoes is the best?" for number in range(count)]})
            message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]}
            self.answer(200, {"status": "completed", "output": [message], "usage": {"input_tokens": 1, "output_tokens": 1}})
        else:
            self.answer(401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}})

    def answer(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(address):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    provider = ThreadingHTTPServer((address, 0), Provider)
    moto = ThreadedMotoServer(address, port=0, verbose=False)
    moto.start()
    secrets = "http://{}:{}".format(*moto.get_host_and_port())
    value = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://host.docker.internal:{provider.server_port}/v1"}
    secret = boto3.client("secretsmanager", endpoint_url=secrets).create_secret(Name=NAME, SecretString=json.dumps(value))
    print(json.dumps({"secret": secret["ARN"], "port": secrets.rpartition(":")[2]}), flush=True)
    provider.serve_forever()


main(sys.argv[1])
