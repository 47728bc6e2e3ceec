import type { RenderedMail } from './layout.ts';

export type Message = RenderedMail & {
  from: { name: string; address: string };
  to: string;
  messageId: string;
  headers: Record<string, string>;
};

/**
 * Why a message was not accepted:
 * - `address`: the server refuses the recipient for good
 * - `message`: the server refuses this message for good
 * - `later`: the server asks to try again later
 * - `unreachable`: no server to talk to, or one that does not let this service send
 */
export class SendFailure extends Error {
  readonly is: 'address' | 'message' | 'later' | 'unreachable';

  constructor(is: SendFailure['is'], message: string) {
    super(message);
    this.name = 'SendFailure';
    this.is = is;
  }
}

export type Transport = {
  /** Resolves when the server has accepted the message; throws a `SendFailure` otherwise. */
  send(message: Message): Promise<void>;
  close(): void;
};

const ANSWER_MS = 20_000;
/** The longest that one message may take. The lease of a mail is longer. */
const MESSAGE_MS = 60_000;

/** Opens the way to the mail server. It is contacted with the first message. */
export async function openTransport(smtpUrl: string): Promise<Transport> {
  const { createTransport } = await import('nodemailer');
  const connect = () =>
    createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 1,
      connectionTimeout: ANSWER_MS,
      greetingTimeout: ANSWER_MS,
      dnsTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let transport = connect();
  return {
    async send({ to, ...message }) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new SendFailure('unreachable', 'The mail server took too long')), MESSAGE_MS);
      });
      const sending = transport.sendMail({ ...message, to: { name: '', address: to } });
      try {
        await Promise.race([sending, late]);
      } catch (error) {
        if (error instanceof SendFailure) {
          sending.catch(() => {});
          transport.close();
          transport = connect();
          throw error;
        }
        throw toFailure(error as SmtpError);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

type SmtpError = Error & { command?: string; responseCode?: number };

function toFailure({ message, command = '', responseCode = 0 }: SmtpError): SendFailure {
  const text = message.replace(/\s+/g, ' ').slice(0, 500);
  const isRefused = responseCode >= 500;
  if (command.startsWith('RCPT')) return new SendFailure(isRefused ? 'address' : 'later', text);
  if (command === 'DATA') {
    // Some servers accept every recipient and say only now that there is no such mailbox (RFC 3463: 5.1.x).
    if (isRefused && /\b5\.1\.\d/.test(text)) return new SendFailure('address', text);
    return new SendFailure(isRefused ? 'message' : 'later', text);
  }
  // The library itself refused to send it.
  if (command === 'API') return new SendFailure('message', text);
  return new SendFailure('unreachable', text);
}
