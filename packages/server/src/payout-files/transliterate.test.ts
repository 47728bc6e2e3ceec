import { expect, it } from 'vitest';
import { toAchText, toSepaText } from './transliterate.ts';

it.each([
  ['Anna Smith', 'Anna Smith'],
  ['Jürgen Groß', 'Juergen Gross'],
  ['ÄÖÜ Äpfel', 'AEOEUE Aepfel'],
  ['José Muñoz', 'Jose Munoz'],
  ['Siobhán O’Brien', "Siobhan O'Brien"],
  ['Łukasz Żółć', 'Lukasz Zolc'],
  ['Đorđe Čović', 'Dorde Covic'],
  ['Søren Ågård', 'Soren Agard'],
  ['Þórður Æsir', 'Thordur Aesir'],
  ['İpek Yıldız', 'Ipek Yildiz'],
  ['Ștefan Țurcanu', 'Stefan Turcanu'],
  ['Nguyễn Văn Đức', 'Nguyen Van Duc'],
  ['Жуков', 'Zhukov'],
  ['ЖУКОВ', 'ZHUKOV'],
  ['Ольга Щукина', 'Olga Shtukina'],
  ['Синьо', 'Sinyo'],
  ['Ђорђе Љубић', 'Djordje Ljubic'],
  ['Ќирил Ѓорѓи', 'Kjiril Gjorgji'],
  ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoulos'],
  ['ΟΥΡΑΝΙΑ Ψαρού', 'OURANIA Psarou'],
  ['ＡＣＭＥ ﬁne', 'ACME fine'],
  ['Müller & Co', 'Mueller + Co'],
  ['a_b@c.de', 'a-b(at)c.de'],
  ['10 € für “März”', "10 EUR fuer 'Maerz'"],
  ['Zoë 🙂  \n Smith', 'Zoe Smith'],
  ['e\u0301te\u0301', 'ete'],
])('%j is %j for SEPA', (text, expected) => {
  expect(toSepaText(text, 70)).toEqual({ text: expected, unreadable: [] });
});

it.each([
  ['王小明', '', ['王', '小', '明']],
  ['José 王', 'Jose', ['王']],
  ['محمد', '', ['م', 'ح', 'د']],
  ['สม', '', ['ส', 'ม']],
])('%j has letters without a reading', (text, expected, unreadable) => {
  expect(toSepaText(text, 70)).toEqual({ text: expected, unreadable });
});

it('cuts what is too long, without a space at its end', () => {
  expect(toSepaText(`${'x'.repeat(69)} y`, 70).text).toBe('x'.repeat(69));
  expect(toSepaText('ß'.repeat(40), 70).text).toBe('s'.repeat(70));
});

it.each([
  ['Smith & Sons, Inc.', 'SMITH & SONS, INC.'],
  ['José Muñoz', 'JOSE MUNOZ'],
  ['Straße 5', 'STRASSE 5'],
  ['what? a+b: c', 'WHAT A B C'],
])('%j is %j for ACH', (text, expected) => {
  expect(toAchText(text, 22)).toEqual({ text: expected, unreadable: [] });
});
