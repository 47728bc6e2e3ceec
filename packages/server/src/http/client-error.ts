import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorBody, errors } from '@svc/contract';

/** Answers what is no readable HTTP request, in the envelope of every other error, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The caller has gone: there is nobody to answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const shown = error.code === 'HPE_HEADER_OVERFLOW' ? errors.headersTooLarge() : errors.unreadableRequest();
  const body = JSON.stringify(errorBody(shown));
  socket.end(
    [
      `HTTP/1.1 ${shown.status} ${shown.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
