import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';
import { TestService } from './service.ts';

export type ReceivedMail = {
  to: string;
  /** By name, in lower case. */
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
  raw: string;
};

/** A mail server that keeps what it receives. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  /** Called with each recipient; what it throws is the answer to the sender. */
  refuse: (address: string) => void = () => {};
  /** Called before a message is accepted. */
  beforeAccepting: () => Promise<void> = async () => {};
  #server: SMTPServer | undefined;
  #port = 0;

  async open(options: SMTPServerOptions = {}): Promise<void> {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, done) => {
        try {
          this.refuse(address);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          await this.beforeAccepting();
          const raw = Buffer.concat(chunks).toString('utf8');
          for (const { address } of session.envelope.rcptTo) this.mails.push(readMail(address, raw));
          done();
        });
      },
      ...options,
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.#port = (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** The next mail to the address that fits, as soon as it has arrived. It is taken out of the box. */
  async next(to: string, fits: (mail: ReceivedMail) => boolean = () => true): Promise<ReceivedMail> {
    const find = () => this.mails.find((mail) => mail.to === to && fits(mail));
    const found = await eventually(find, (mail) => mail !== undefined);
    if (!found) throw new Error(`No mail to ${to} among ${JSON.stringify(this.mails.map(({ subject }) => subject))}`);
    this.mails.splice(this.mails.indexOf(found), 1);
    return found;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#server) this.#server.close(() => resolve());
      else resolve();
    });
  }
}

/** A service that sends its mail to a server of the same file. */
export function useMailingService(env: Record<string, string> = {}): { service: TestService; mailbox: Mailbox } {
  const [service, mailbox] = [new TestService(), new Mailbox()];
  beforeAll(async () => {
    await mailbox.open();
    await service.open({ SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'Partners <partners@mail.test>', ...env });
  });
  afterAll(async () => {
    await service.service?.close();
    await mailbox.close();
  });
  return { service, mailbox };
}

/** An answer of a mail server. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The link behind the button of the mail. */
export function linkIn({ html }: ReceivedMail): string {
  const [, url = ''] = /<a href="([^"]+)"/.exec(html) ?? [];
  return url.replaceAll('&amp;', '&');
}

/** The part of the link that browsers do not send. */
export const tokenIn = (mail: ReceivedMail) => new URL(linkIn(mail)).hash.slice(1);

function readMail(to: string, raw: string): ReceivedMail {
  const { headers, body } = readPart(raw);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts = body.split(`--${boundary}`).map((part) => readPart(part.replace(/^\r\n/, '')));
  const textOf = (type: string) => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type));
    return part ? decoded(part) : '';
  };
  const subject = decodedWords(headers.subject ?? '');
  return { to, headers, subject, text: textOf('text/plain'), html: textOf('text/html'), raw };
}

type Part = { headers: Record<string, string>; body: string };

function readPart(raw: string): Part {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value ?? '']];
  });
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

function decoded({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : quotedPrintable(body, encoding);
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

function quotedPrintable(body: string, encoding: string | undefined): Buffer {
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'utf8');
  return bytesOf(body.replace(/=\r\n/g, ''));
}

function bytesOf(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Words of a header that are not ASCII (RFC 2047). */
function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : bytesOf(word.replaceAll('_', ' ')).toString(),
    );
}
