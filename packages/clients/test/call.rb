# frozen_string_literal: true

# Makes the calls that the test passes as JSON, and prints what came of them.

require "json"
require File.join(ARGV[0], "svc")

def error_of(error)
  error && {
    code: error.code, status: error.status, message: error.message, requestId: error.request_id,
    isRetryable: error.retryable?
  }
end

def make(call)
  case call["do"]
  when "verify"
    begin
      { event: Svc.verify_webhook(call["body"], call["headers"], call["secrets"]) }
    rescue Svc::Error => e
      { error: error_of(e) }
    end
  when "clickId"
    { clickId: Svc.click_id_from(call["cookie"]) }
  else
    client = Svc::Client.new(api_url: call["url"], timeout: call["seconds"] || 3.0)
    result = client.public_send(call["do"], call["body"])
    result.to_h.merge(ok: result.ok?, error: error_of(result.error))
  end
end

puts JSON.generate(JSON.parse($stdin.read).map { |call| make(call) })
