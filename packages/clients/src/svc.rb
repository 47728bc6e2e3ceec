# frozen_string_literal: true

# Reports affiliate clicks, signups, sales and refunds to the attribution service, and verifies its webhooks.
#
# One file for Ruby 3.0 and newer, without gems. Settings come from SVC_API_KEY and SVC_API_URL.
#
#     require_relative "svc"
#
#     svc = Svc::Client.new
#     result = svc.sale(transaction_id: "order_1", customer_key: "user_42", amount_cents: 4900)
#     if !result.ok? && result.error.retryable?
#       # Report it again later; the same transaction_id is never counted twice.
#     end
#
# The bodies are those of the API: https://track.example.com/docs

require "json"
require "net/http"
require "openssl"
require "securerandom"
require "timeout"
require "uri"

module Svc
  VERSION = "0.0.0"
  # The service that this file was downloaded from.
  DEFAULT_API_URL = ""

  # Why an event was not recorded, or a webhook not accepted.
  class Error < StandardError
    attr_reader :code, :status, :request_id, :hint, :retry_after

    def initialize(message, code, status: 0, request_id: nil, hint: nil, retry_after: nil, retryable: false)
      super(message)
      @code = code
      @status = status
      @request_id = request_id
      @hint = hint
      @retry_after = retry_after
      @retryable = retryable
    end

    def retryable?
      @retryable
    end
  end

  # What became of an event. `ok?` is true when there is nothing left to do. `outcome` is `recorded` (`reply` has the service's
  # answer), `already_recorded`, `commission_pending`, `unattributed` (`reason` says why) or `failed` (`error` says why).
  Result = Struct.new(:outcome, :reply, :reason, :error, keyword_init: true) do
    def ok?
      outcome != "failed"
    end
  end

  # A client for one program. No method that reports raises, and none takes longer than its timeout.
  class Client
    # Refusals after which there is nothing left to do: event, status, start of the message, outcome, reason.
    SETTLED = [
      ["lead", 400, "Customer status cannot be updated to lead", "already_recorded", nil],
      ["lead", 400, "Customer not found", "unattributed", "customer_not_found"],
      ["sale", 400, "Customer not found", "unattributed", "customer_not_found"],
      ["sale", 400, "No affiliate attribution found", "unattributed", "no_attribution"],
      ["sale", 400, "No partner-program relationship found", "unattributed", "no_relationship"],
      ["sale", 409, "Duplicate transaction_id", "already_recorded", nil],
      ["sale", 500, "Failed to create commission", "commission_pending", nil],
      ["refund", 404, "Sale not found", "unattributed", "sale_not_found"]
    ].freeze

    CODES = {
      400 => "invalid_request", 401 => "unauthorized", 403 => "forbidden", 404 => "not_found", 409 => "conflict",
      429 => "rate_limited"
    }.freeze

    def initialize(api_key: nil, api_url: nil, timeout: 3.0)
      @api_key = api_key
      @api_url = api_url
      @timeout = timeout
    end

    # Reports a click, where no tracker runs. Save `result.reply["click_id"]` in the cookie `svc_click_id`.
    def click(body)
      report("click", body)
    end

    # Reports a signup.
    def lead(body)
      report("lead", body)
    end

    # Reports a payment. Safe to repeat with the same `transaction_id`.
    def sale(body)
      report("sale", body)
    end

    # Reports a refund. A partial one is safe to repeat with the same `refund_id`.
    def refund(body)
      report("refund", body)
    end

    private

    def report(event, body)
      uri, request = build(event, body)
      deliver(event, uri, request)
    rescue Error => e
      Result.new(outcome: "failed", error: e)
    end

    def build(event, body)
      url = first_set(@api_url, ENV["SVC_API_URL"], DEFAULT_API_URL)
      key = first_set(@api_key, ENV["SVC_API_KEY"])
      raise Error.new("Set SVC_API_URL to the URL of the service", "not_configured") unless url.match?(%r{\Ahttps?://[^\s/]})
      if event != "click"
        raise Error.new("Set SVC_API_KEY to the API key of the program", "not_configured") if key.empty?
        unless key.match?(/\A[\x21-\x7e]+\z/)
          raise Error.new("SVC_API_KEY has characters that no API key has", "not_configured")
        end
      end
      uri = URI.parse("#{url.chomp("/")}/api/v1/track/#{event}")
      request = Net::HTTP::Post.new(uri)
      request["Accept"] = "application/json"
      request["Content-Type"] = "application/json"
      request["User-Agent"] = "svc-ruby/#{VERSION}"
      if event != "click"
        # Clicks need no key.
        request["Authorization"] = "Bearer #{key}"
        request["Idempotency-Key"] = SecureRandom.uuid
      end
      request.body = JSON.generate(body)
      [uri, request]
    rescue URI::InvalidURIError
      raise Error.new("Set SVC_API_URL to the URL of the service", "not_configured")
    rescue JSON::JSONError, EncodingError, ArgumentError, SystemStackError => e
      raise Error.new("The event cannot be written as JSON: #{e.message}", "invalid_request")
    end

    def first_set(*values)
      values.find { |value| value && !value.empty? } || ""
    end

    # Sends the same bytes with the same key until the answer is final or the time is up.
    def deliver(event, uri, request)
      deadline = monotonic + @timeout
      wait = 0.25
      loop do
        result = send_once(event, uri, request, [deadline - monotonic, 0.001].max)
        return result if result.ok? || !result.error.retryable?

        pause = result.error.retry_after || (wait * (0.75 + (rand / 2)))
        return result if monotonic + pause >= deadline

        sleep(pause)
        wait *= 2
      end
    end

    def monotonic
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def send_once(event, uri, request, seconds)
      # The timeouts of a connection are for each read, so the whole has one, too.
      response = Timeout.timeout(seconds) do
        Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https", open_timeout: seconds,
                                                read_timeout: seconds, max_retries: 0) { |http| http.request(request) }
      end
      judge(event, response)
    rescue Timeout::Error => e
      no_answer("timed out: #{e.class}", "timeout")
    rescue SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError, Net::ProtocolError, Net::HTTPBadResponse => e
      no_answer(e.message, "unreachable")
    end

    def no_answer(why, code)
      Result.new(outcome: "failed", error: Error.new("No answer from the service (#{why})", code, retryable: true))
    end

    def judge(event, response)
      status = response.code.to_i
      body = parse(response.body)
      return judge_success(body) if status.between?(200, 299) && body["success"] == true

      told = body["error"].is_a?(Hash) ? body["error"] : {}
      message = told["message"].to_s
      SETTLED.each do |of, on, start, outcome, reason|
        return Result.new(outcome: outcome, reason: reason) if of == event && on == status && message.start_with?(start)
      end
      Result.new(outcome: "failed", error: error_of(status, response, told, message))
    end

    def judge_success(body)
      facts = body["data"].is_a?(Hash) ? body["data"] : {}
      if facts["attributed"] == false && !facts["test_mode"]
        Result.new(outcome: "unattributed", reply: body, reason: facts["reason"])
      else
        Result.new(outcome: "recorded", reply: body)
      end
    end

    def error_of(status, response, told, message)
      seconds = response["Retry-After"].to_s
      retry_after = seconds.match?(/\A\d{1,6}\z/) ? [1, seconds.to_i].max : nil
      final = status < 500 && ![408, 429].include?(status) && !(status == 409 && retry_after)
      if message.empty?
        message = "The service answered with status #{status}"
        message += ", but not as the service does: check SVC_API_URL" if status < 400
      end
      code = told["code"] || CODES[status] || (status >= 500 ? "service_failed" : "unexpected_response")
      Error.new(message, code, status: status, request_id: response["X-Request-Id"], hint: told["hint"],
                               retry_after: retry_after, retryable: !final)
    end

    def parse(text)
      body = JSON.parse(text.to_s)
      body.is_a?(Hash) ? body : {}
    rescue JSON::ParserError, EncodingError
      {}
    end
  end

  # The visitor's click id from a Cookie header, or nil. Rails has it as `cookies[:svc_click_id]`.
  def self.click_id_from(cookie_header)
    cookie_header.to_s[/(?:\A|;)\s*svc_click_id=(cust_[0-9]+_[0-9]+)\s*(?:;|\z)/, 1]
  end

  # Verifies a delivery and returns its event. `body` is the body as it was received, before it is parsed; `headers` is any hash
  # or the `env` of Rack; `secret` is the secret of the endpoint, or an array of them while one is being replaced. Raises an
  # Error with the code `invalid_signature` for anything that the service has not signed within the tolerance.
  def self.verify_webhook(body, headers, secret, tolerance: 300, now: Time.now.to_i)
    keys = Array(secret).map { |one| secret_bytes(one) }
    raise bad_secret if keys.empty?

    named = headers.to_h.transform_keys { |name| name.to_s.downcase.tr("_", "-").delete_prefix("http-") }
    id, timestamp, signatures = %w[id timestamp signature].map { |name| Array(named["webhook-#{name}"]).first.to_s }
    if [id, timestamp, signatures].any?(&:empty?)
      raise invalid("The request lacks a webhook-id, webhook-timestamp or webhook-signature header")
    end
    raise invalid("The webhook-timestamp header is not a time in seconds") unless timestamp.match?(/\A[0-9]{1,12}\z/)

    age = now - timestamp.to_i
    raise invalid("The delivery is too old") if age > tolerance
    raise invalid("The delivery is from the future: check the clock of this server") if age < -tolerance

    signed = "#{id}.#{timestamp}.".b + body.b
    keys.each do |key|
      expected = "v1,#{[OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")}"
      found = signatures.split.select { |given| OpenSSL.secure_compare(given, expected) }
      return JSON.parse(body.dup.force_encoding("UTF-8")) unless found.empty?
    end
    raise invalid("No signature fits the body and the secret")
  end

  def self.secret_bytes(secret)
    key = secret.to_s.delete_prefix("whsec_").unpack1("m0")
    raise bad_secret if key.empty?

    key
  rescue ArgumentError
    raise bad_secret
  end

  def self.bad_secret
    Error.new("The webhook secret is missing or incomplete: it is whsec_ and base64", "not_configured")
  end

  def self.invalid(message)
    Error.new(message, "invalid_signature")
  end
  private_class_method :secret_bytes, :bad_secret, :invalid
end
