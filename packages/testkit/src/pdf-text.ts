import { spawnSync } from 'node:child_process';

/** Whether poppler's pdftotext is installed, which reads documents independently of what wrote them. */
export function hasPdfText(): boolean {
  return spawnSync('pdftotext', ['-v'], { stdio: 'ignore' }).status === 0;
}

/** The text of a PDF in its layout, as a reader finds it. */
export function pdfText(pdf: Buffer): string {
  const { status, stdout, stderr } = spawnSync('pdftotext', ['-layout', '-', '-'], {
    input: pdf,
    maxBuffer: 100_000_000,
  });
  if (status !== 0 || stderr.length > 0) throw new Error(`pdftotext failed: ${stderr}`);
  return stdout.toString('utf8');
}
