import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody, errors, type ServiceError } from '@svc/contract';

/** The response that the server is writing to the connection. Node keeps it there, without a type. */
type ServerSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Answers a malformed HTTP request in the platform envelope, and closes the connection. A whole request before it on the same
 * connection is answered first.
 */
export function answerClientError(error: Error & { code?: string }, socket: ServerSocket): void {
  // The caller has already disconnected.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const earlier = socket._httpMessage;
  if (earlier?.req.complete && !earlier.writableFinished) {
    earlier.once('finish', () => refuse(error.code, socket));
  } else refuse(error.code, socket);
}

function refuse(code: string | undefined, socket: Socket): void {
  const { refusal, phrase } = refusalOf(code);
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${phrase}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function refusalOf(code: string | undefined): { refusal: ServiceError; phrase: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { refusal: errors.headersTooLarge(), phrase: 'Request Header Fields Too Large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { refusal: errors.requestTimedOut(), phrase: 'Request Timeout' };
    default:
      return { refusal: errors.unreadableRequest(), phrase: 'Bad Request' };
  }
}
