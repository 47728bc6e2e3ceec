import { inflateRawSync } from 'node:zlib';
import type { Cell } from '@svc/contract';
import { expect, it } from 'vitest';
import { xlsxParts } from './xlsx.ts';
import { zipOf } from './zip.ts';

async function* inBatches(...batches: Cell[][][]) {
  yield* batches;
}

/** The texts of the archive, found through its directory as spreadsheets do. */
async function unpacked(titles: string[], rows: AsyncIterable<Cell[][]>, maxRows?: number) {
  const pieces: Buffer[] = [];
  for await (const piece of zipOf(xlsxParts(titles, rows, maxRows))) pieces.push(piece);
  const file = Buffer.concat(pieces);
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'));
  const texts: Record<string, string> = {};
  let at = file.readUInt32LE(end + 16);
  for (let entry = file.readUInt16LE(end + 8); entry > 0; entry -= 1) {
    const [packed, size, nameLength] = [
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
      file.readUInt16LE(at + 28),
    ];
    const head = file.readUInt32LE(at + 42);
    const start = head + 30 + file.readUInt16LE(head + 26);
    const text = inflateRawSync(file.subarray(start, start + packed));
    expect(text.length).toBe(size);
    texts[file.toString('utf8', at + 46, at + 46 + nameLength)] = text.toString('utf8');
    at += 46 + nameLength;
  }
  return texts;
}

const rowsIn = (sheet: string | undefined) => (sheet?.match(/<row>.*?<\/row>/gs) ?? []).map((row) => row.slice(5, -6));

it('writes numbers as numbers, amounts with the decimals of their currency, and text as text', async () => {
  const cells: Cell[] = [
    'Müller & <Co>',
    17,
    { amount: '12.30' },
    { amount: '-4900' },
    { amount: '1.250' },
    true,
    null,
  ];
  const texts = await unpacked(['name', 'id', 'usd', 'jpy', 'kwd', 'active', 'note'], inBatches([cells]));
  const [titles, row] = rowsIn(texts['xl/worksheets/sheet1.xml']);
  expect(titles).toContain('<c t="inlineStr" s="1"><is><t xml:space="preserve">usd</t></is></c>');
  expect(row).toBe(
    '<c t="inlineStr"><is><t xml:space="preserve">Müller &amp; &lt;Co&gt;</t></is></c>' +
      '<c s="2"><v>17</v></c><c s="4"><v>12.30</v></c><c s="2"><v>-4900</v></c><c s="5"><v>1.250</v></c><c t="b"><v>1</v></c><c/>',
  );
  const formats = texts['xl/styles.xml']?.match(/formatCode="([^"]*)"/g);
  expect(formats).toEqual([
    'formatCode="0.0"',
    'formatCode="#,##0.00"',
    'formatCode="#,##0.000"',
    'formatCode="#,##0.0000"',
  ]);
});

it('has no cell that a spreadsheet calculates, and loses no digit', async () => {
  const cells: Cell[] = ['=1+1', '@cmd', { amount: '1234567890123456.78' }, 9_007_199_254_740_991, 'bell\u0007'];
  const [, row] = rowsIn((await unpacked(['a'], inBatches([cells])))['xl/worksheets/sheet1.xml']);
  const text = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  expect(row).toBe(['=1+1', '@cmd', '1234567890123456.78', '9007199254740991', 'bell\ufffd'].map(text).join(''));
  expect(row).not.toContain('<f>');
});

it('goes on with another sheet where one is full', async () => {
  const texts = await unpacked(['n'], inBatches([[1], [2]], [[3]]), 3);
  expect(Object.keys(texts)).toEqual([
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    '_rels/.rels',
    '[Content_Types].xml',
  ]);
  expect(rowsIn(texts['xl/worksheets/sheet1.xml'])).toHaveLength(3);
  expect(rowsIn(texts['xl/worksheets/sheet2.xml'])).toHaveLength(2);
  expect(texts['xl/workbook.xml']).toContain('<sheet name="Sheet 2" sheetId="2" r:id="rId2"/>');
});
