import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { accountToken, type Session } from '../session.ts';

/**
 * Offers the tools of the service to an AI assistant over stdin and stdout. Messages are passed on as they are, so that the
 * tools, their rights and their limits are those of the service.
 */
export async function mcp(session: Session): Promise<void> {
  const headers = { Authorization: `Bearer ${await accountToken(session)}` };
  const { stdin, stdout } = session;
  const assistant = new StdioServerTransport(stdin as Readable, stdout as Writable);
  const service = new StreamableHTTPClientTransport(new URL(`${session.api.apiUrl}/mcp`), { requestInit: { headers } });
  const underWay = new Set<Promise<void>>();

  assistant.onmessage = (message) => {
    const sending = service.send(message).catch((error) => answerFailure(message, error));
    underWay.add(sending);
    sending.finally(() => underWay.delete(sending));
  };
  service.onmessage = (message) => {
    const version = versionIn(message);
    if (version) service.setProtocolVersion(version);
    void assistant.send(message);
  };

  async function answerFailure(message: JSONRPCMessage, error: Error): Promise<void> {
    session.out.warn(error.message);
    if (!isJSONRPCRequest(message)) return;
    const text = `${session.api.apiUrl} did not answer: ${error.message}`;
    await assistant.send({ jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: text } });
  }

  const ended = once(stdin, 'end');
  await service.start();
  await assistant.start();
  await ended;
  await Promise.allSettled(underWay);
  await service.close();
}

/** The version of the protocol that the service has chosen, if this is its answer to the first message. */
function versionIn(message: JSONRPCMessage): string | undefined {
  const { result } = message as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
