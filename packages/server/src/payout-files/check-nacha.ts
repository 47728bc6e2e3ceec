import type { CheckedFile } from './payout-item.ts';

type Totals = { count: number; hash: number; credit: number };

/** Reads a NACHA file back line by line, and says what a bank would refuse. */
export function checkNacha(bytes: Uint8Array): CheckedFile {
  const problems: string[] = [];
  const payouts: CheckedFile['payouts'] = [];
  const lines = new TextDecoder('latin1').decode(bytes).split('\r\n');
  if (lines.pop() !== '') problems.push('The file does not end with a line break.');
  lines.forEach((line, index) => {
    if (line.length !== 94) problems.push(`Line ${index + 1} has ${line.length} characters instead of 94.`);
    if (!/^[A-Z0-9/\-().,'& ]*$/.test(line))
      problems.push(`Line ${index + 1} has characters other than capitals and digits.`);
  });
  if (lines.length === 0 || lines.length % 10 !== 0)
    problems.push(`The file has ${lines.length} lines, which are not whole blocks of ten.`);

  const end = lines.findIndex((line) => line.startsWith('9'));
  const control = lines[end] ?? '';
  if (lines.slice(end + 1).some((line) => line !== '9'.repeat(94)))
    problems.push('The file goes on after its control line.');
  problems.push(...checkFileHeader(lines[0] ?? ''));

  const file: Totals = { count: 0, hash: 0, credit: 0 };
  const seen = new Set<string>();
  let batch: { header: string; totals: Totals } | null = null;
  let batches = 0;
  let lastTrace = 0;
  lines.slice(1, Math.max(end, 0)).forEach((line, index) => {
    const report = (problem: string) => problems.push(`Line ${index + 2}: ${problem}`);
    const type = line.charAt(0);
    if (type === '5' && !batch) {
      batches += 1;
      batch = { header: line, totals: { count: 0, hash: 0, credit: 0 } };
      for (const problem of checkBatchHeader(line, batches)) report(problem);
    } else if (type === '6' && batch) {
      const trace = Number(line.slice(87, 94));
      if (line.slice(79, 87) !== batch.header.slice(79, 87) || trace <= lastTrace) report('the trace number is wrong.');
      lastTrace = trace;
      for (const problem of checkEntry(line)) report(problem);
      const [id, amountCents] = [line.slice(39, 54).trimEnd(), Number(line.slice(29, 39))];
      if (seen.has(id)) report(`the ID ${id} was used before.`);
      seen.add(id);
      for (const totals of [file, batch.totals]) {
        totals.count += 1;
        totals.hash += Number(line.slice(3, 11));
        totals.credit += amountCents;
      }
      payouts.push({ endToEndId: id, amountCents });
    } else if (type === '8' && batch) {
      const { header, totals } = batch;
      const said = {
        count: line.slice(4, 10),
        hash: line.slice(10, 20),
        debit: line.slice(20, 32),
        credit: line.slice(32, 44),
      };
      for (const problem of compare(said, totals)) report(problem);
      if (line.slice(1, 4) !== '220') report('the batch does not consist of credits.');
      const names = [line.slice(44, 54), line.slice(79, 87), line.slice(87, 94)];
      const named = [header.slice(40, 50), header.slice(79, 87), header.slice(87, 94)];
      if (names.join() !== named.join()) report('the control of the batch does not belong to its header.');
      if (totals.count === 0) report('the batch is empty.');
      batch = null;
    } else {
      report('is out of order.');
    }
  });
  if (batch || batches === 0) problems.push('The last batch has no control line.');
  const said = {
    count: control.slice(13, 21),
    hash: control.slice(21, 31),
    debit: control.slice(31, 43),
    credit: control.slice(43, 55),
  };
  problems.push(...compare(said, file).map((problem) => `The end of the file: ${problem}`));
  if (control.slice(1, 7) !== String(batches).padStart(6, '0')) problems.push('The number of batches is wrong.');
  if (Number(control.slice(7, 13)) !== lines.length / 10) problems.push('The number of blocks is wrong.');
  return { problems, payouts };
}

function checkFileHeader(line: string): string[] {
  return [
    ...(line.startsWith('101 ') && passesCheckDigit(line.slice(4, 13))
      ? []
      : ['The file does not name the bank it is for.']),
    ...(/^[A-Z0-9 ][A-Z0-9]{9}$/.test(line.slice(13, 23)) ? [] : ['The file does not name its origin.']),
    ...(isDay(line.slice(23, 29)) && /^([01][0-9]|2[0-3])[0-5][0-9]$/.test(line.slice(29, 33))
      ? []
      : ['The file has no valid time.']),
    ...(/^[A-Z0-9]094101$/.test(line.slice(33, 40))
      ? []
      : ['The file header does not describe lines of 94 in blocks of 10.']),
    ...(line.slice(40, 63).trim() && line.slice(63, 86).trim() ? [] : ['The names in the file header are missing.']),
  ];
}

function checkBatchHeader(line: string, number: number): string[] {
  return [
    ...(line.startsWith('5220') ? [] : ['the batch does not consist of credits.']),
    ...(line.slice(4, 20).trim() && line.slice(40, 50).trim() ? [] : ['the company is missing.']),
    ...(/^(PPD|CCD)$/.test(line.slice(50, 53)) ? [] : [`"${line.slice(50, 53)}" is neither PPD nor CCD.`]),
    ...(line.slice(53, 63).trim() && !/PAYROLL/.test(line.slice(53, 63))
      ? []
      : ['the description is missing or reserved.']),
    ...(isDay(line.slice(69, 75)) ? [] : ['the effective date is not valid.']),
    ...(line.charAt(78) === '1' && /^[0-9]{8}$/.test(line.slice(79, 87)) ? [] : ['the originating bank is missing.']),
    ...(line.slice(87, 94) === String(number).padStart(7, '0') ? [] : ['the batch has the wrong number.']),
  ];
}

function checkEntry(line: string): string[] {
  return [
    ...(/^6[23]2$/.test(line.slice(0, 3)) ? [] : [`${line.slice(1, 3)} is not a credit to an account.`]),
    ...(passesCheckDigit(line.slice(3, 12)) ? [] : ['the routing number does not pass its check digit.']),
    ...(/^[0-9]{4,17} *$/.test(line.slice(12, 29)) ? [] : ['the account number is not left-aligned digits.']),
    ...(/^[0-9]{10}$/.test(line.slice(29, 39)) && Number(line.slice(29, 39)) > 0
      ? []
      : ['the amount is not positive.']),
    ...(/^[A-Z0-9]+ *$/.test(line.slice(39, 54)) ? [] : ['the ID is missing.']),
    ...(/^[A-Z0-9(.'&].*$/.test(line.slice(54, 76)) ? [] : ['the name is missing.']),
    ...(line.charAt(78) === '0' ? [] : ['it says that an addendum follows.']),
  ];
}

function compare(said: { count: string; hash: string; debit: string; credit: string }, totals: Totals): string[] {
  const hash = String(totals.hash % 10 ** 10).padStart(10, '0');
  return [
    ...(Number(said.count) === totals.count ? [] : [`says ${Number(said.count)} entries; there are ${totals.count}.`]),
    ...(said.hash === hash ? [] : [`has the hash ${said.hash}; the routing numbers give ${hash}.`]),
    ...(/^0{12}$/.test(said.debit) ? [] : ['debits an account.']),
    ...(Number(said.credit) === totals.credit
      ? []
      : [`has the total ${said.credit}; the amounts add up to ${totals.credit}.`]),
  ];
}

/** 3 · (d1 + d4 + d7) + 7 · (d2 + d5 + d8) + (d3 + d6 + d9) is a multiple of 10. */
function passesCheckDigit(routing: string): boolean {
  if (!/^[0-9]{9}$/.test(routing)) return false;
  const [d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0, d6 = 0, d7 = 0, d8 = 0, d9 = 0] = [...routing].map(Number);
  return (3 * (d1 + d4 + d7) + 7 * (d2 + d5 + d8) + (d3 + d6 + d9)) % 10 === 0;
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^([0-9]{2})([0-9]{2})([0-9]{2})$/.exec(text) ?? [];
  const date = new Date(`20${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}
