import { sectionOf } from '../problems.ts';
import type { Outcome } from './scene.ts';

const HEADER = [
  'Run',
  'Load',
  'Faults',
  'Acknowledged clicks / leads / sales / refunds',
  'Unanswered, sent again',
  'Lost',
  'Doubled',
  'Time to recover',
];

export function rowOf(title: string, { faults, scene, differences }: Outcome): string[] {
  const { shop, loadSeconds } = scene;
  const counts = [shop.clicks.length, shop.leads.length, shop.sales.length, shop.refunds];
  return [
    title,
    `${Math.round(shop.sender.answered / loadSeconds)} requests/s for ${Math.round(loadSeconds)} s`,
    faults,
    counts.map((count) => count.toLocaleString('en')).join(' / '),
    shop.resent.toLocaleString('en'),
    String(differences.lost.length + differences.wrong.length),
    String(differences.doubled.length),
    timesOf(scene.recoveries),
  ];
}

/** Everything that must not happen in a run, in words. */
export function problemsOf(title: string, { scene, differences, problems }: Outcome): string[] {
  const { shop } = scene;
  const sections = [
    sectionOf('Lost', differences.lost),
    sectionOf('Different from what was acknowledged', differences.wrong),
    sectionOf('Doubled', differences.doubled),
    sectionOf('Reports that differ from the rows', differences.reports),
    sectionOf('Wrong answers', shop.wrongAnswers),
    sectionOf('Requests that hung', shop.sender.timeouts),
    sectionOf('Problems', problems),
  ];
  return sections.flatMap((section) => (section === null ? [] : [`${title}. ${section}`]));
}

/** The median and the longest time. */
export function timesOf(milliseconds: number[]): string {
  if (milliseconds.length === 0) return '';
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] as number;
  const longest = sorted.at(-1) as number;
  return sorted.length === 1 ? secondsOf(longest) : `${secondsOf(median)}, at most ${secondsOf(longest)}`;
}

function secondsOf(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A table as Markdown. */
export function tableOf(rows: string[][], header = HEADER): string {
  const lines = [header, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [lines[0], `|${' --- |'.repeat(header.length)}`, ...lines.slice(1)].join('\n');
}
