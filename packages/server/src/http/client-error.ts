import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorBody, errors } from '@svc/contract';

/** Answers a malformed HTTP request in the platform envelope, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The caller has already disconnected.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? errors.headersTooLarge() : errors.unreadableRequest();
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
