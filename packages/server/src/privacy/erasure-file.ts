import { z } from 'zod';
import type { Erasure } from './erasure-store.ts';

const FIRST_LINE = 'svc-erasures 1';

const line = z.object({
  subject: z.enum(['customer', 'account']),
  program_id: z.int().nullable(),
  subject_id: z.string(),
  subject_created_at: z.iso.datetime().transform((text) => new Date(text)),
  erased_at: z.iso.datetime().transform((text) => new Date(text)),
});

/** The list of erasures as a file: a line for each, after one that says what it is. */
export function formatErasures(erasures: Erasure[]): string {
  const lines = erasures.map(({ subject, programId, subjectId, subjectCreatedAt, erasedAt }) =>
    JSON.stringify({
      subject,
      program_id: programId,
      subject_id: subjectId,
      subject_created_at: subjectCreatedAt,
      erased_at: erasedAt,
    }),
  );
  return `${[FIRST_LINE, ...lines, `${erasures.length} erasures`].join('\n')}\n`;
}

/** The erasures in such a file; null when it is not one, or not complete. */
export function parseErasures(text: string): Erasure[] | null {
  const [first, ...lines] = text.trimEnd().split('\n');
  if (first !== FIRST_LINE || lines.pop() !== `${lines.length} erasures`) return null;
  const erasures: Erasure[] = [];
  for (const json of lines) {
    const parsed = line.safeParse(parseJson(json));
    if (!parsed.success) return null;
    const { subject, program_id: programId, subject_id: subjectId, subject_created_at, erased_at } = parsed.data;
    erasures.push({ subject, programId, subjectId, subjectCreatedAt: subject_created_at, erasedAt: erased_at });
  }
  return erasures;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
