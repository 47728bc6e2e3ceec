import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorBody, errors, type ServiceError } from '@svc/contract';

/** Answers a malformed HTTP request in the platform envelope, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The caller has already disconnected.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { refusal, phrase } = refusalOf(error.code);
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
