import { luminanceOf, parseColor } from '@svc/contract';
import { escapeHtml } from '../html.ts';
import { headerText, NOT_OF_ONE_LINE } from './header-text.ts';

/** What a mail consists of, whichever form it is shown in. */
export type MailBody = {
  subject: string;
  paragraphs: string[];
  /** Rows of a small table: what, and how much. */
  facts?: [string, string][];
  action?: { label: string; url: string };
  /** What comes after the button. */
  closing?: string[];
};

export type Frame = {
  /** Whose mail it is, as the first line says. */
  brandName: string;
  /** `#rrggbb` */
  color: string;
  /** Why the recipient gets this mail. */
  reason: string;
  /** Where this kind can be switched off. */
  unsubscribeUrl: string | null;
};

export type RenderedMail = { subject: string; text: string; html: string };

/** Renders one mail as plain text and as HTML, so that both say the same. */
export function renderMail(body: MailBody, frame: Frame): RenderedMail {
  return { subject: headerText(body.subject), text: renderText(body, frame), html: renderHtml(body, frame) };
}

const COLUMNS = 78;

function renderText({ paragraphs, facts = [], action, closing = [] }: MailBody, frame: Frame): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  const parts = [
    wrapped(headerText(frame.brandName)),
    ...paragraphs.map(wrapped),
    ...(facts.length > 0
      ? [facts.map(([label, value]) => wrapped(`${label.padEnd(width)}  ${oneLine(value)}`)).join('\n')]
      : []),
    // A link stays in one piece, however long it is.
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...closing.map(wrapped),
    `--\n${wrapped(frame.reason)}`,
    ...(frame.unsubscribeUrl ? [`Unsubscribe: ${frame.unsubscribeUrl}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Breaks lines between words. A word that is longer than a line is broken, unless it is a link. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ').flatMap(breakLongWord)) {
    if (line !== '' && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

function breakLongWord(word: string): string[] {
  if (word.length <= COLUMNS || /^https?:/.test(word)) return [word];
  return word.match(new RegExp(`.{1,${COLUMNS}}`, 'gsu')) ?? [];
}

/** Keeps spaces, which align facts, and drops what would break the line. */
function oneLine(text: string): string {
  return text.replace(NOT_OF_ONE_LINE, ' ');
}

const BODY = 'margin:0;padding:24px 12px;background:#f4f5f7;';
const CARD = 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;';
const FONT = "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1b1f2a;";
const PARAGRAPH = 'margin:0 0 16px;';
const QUIET = 'max-width:560px;margin:16px auto 0;padding:0 32px;font-size:13px;line-height:1.5;color:#5d6475;';

function renderHtml({ subject, paragraphs, facts = [], action, closing = [] }: MailBody, frame: Frame): string {
  const { color } = frame;
  const lines = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}${FONT}">`,
    `<div style="${CARD}border-top:4px solid ${color};">`,
    `<p style="margin:0 0 24px;font-weight:600;color:${isDark(color) ? color : '#1b1f2a'};">${escaped(frame.brandName)}</p>`,
    ...paragraphs.map(paragraph),
    ...(facts.length > 0 ? [table(facts)] : []),
    ...(action ? [button(action, color)] : []),
    ...closing.map(paragraph),
    '</div>',
    `<p style="${QUIET}">${escaped(frame.reason)}${unsubscribe(frame.unsubscribeUrl)}</p>`,
    '</body></html>',
  ];
  return `${lines.join('\n')}\n`;
}

const paragraph = (text: string) => `<p style="${PARAGRAPH}">${escaped(text)}</p>`;

function table(facts: [string, string][]): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#5d6475;">${escaped(label)}</td>` +
      `<td style="padding:4px 0;font-weight:600;">${escaped(value)}</td></tr>`,
  );
  return ['<table style="margin:0 0 16px;border-collapse:collapse;">', ...rows, '</table>'].join('\n');
}

function button({ label, url }: { label: string; url: string }, color: string): string {
  const look = 'display:inline-block;padding:10px 18px;border-radius:6px;font-weight:600;text-decoration:none;';
  const colors = `background:${color};color:${isDark(color) ? '#ffffff' : '#14171f'};`;
  return `<p style="margin:24px 0;"><a href="${escaped(url)}" style="${look}${colors}">${escaped(label)}</a></p>`;
}

const unsubscribe = (url: string | null) =>
  url ? `<br><a href="${escaped(url)}" style="color:#5d6475;">Unsubscribe</a>` : '';

/** Whether white text on the color has more contrast than black text. Then the color is readable on white as well. */
const isDark = (color: string) => luminanceOf(parseColor(color)) < 0.179;

const escaped = (text: string) => escapeHtml(oneLine(text));
