import { describe, expect, test } from '@jest/globals';

import { CsvError, csvRecord, parseCsv, unguarded } from '../../functions/kernel/csv.ts';

async function parsed(...chunks: string[]): Promise<string[][]> {
  const records: string[][] = [];
  for await (const { cells } of parseCsv(chunks)) records.push(cells);
  return records;
}

describe('CSV of RFC 4180', () => {
  test('quotes fields with commas, quotes and line breaks, doubles quotes, ends records with CRLF', () => {
    expect(csvRecord(['a', 'b,c', 'd"e', 'f\r\ng', ''])).toBe('a,"b,c","d""e","f\r\ng",\r\n');
  });

  test('is read back unchanged from chunks of any size', async () => {
    const rows = [
      ['plain', 'with, comma', 'with "quotes"', 'two\r\nlines', ''],
      ['', '"', '""', '\n', 'ünï😀'],
    ];
    const text = rows.map(csvRecord).join('');
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(await parsed(text.slice(0, cut), text.slice(cut))).toEqual(rows);
    }
  });

  test('reports the line on which a record starts, even after records of several lines', async () => {
    const lines: number[] = [];
    for await (const { line } of parseCsv(['a\r\n"b\r\nb"\r\nc\r\n'])) lines.push(line);
    expect(lines).toEqual([1, 2, 4]);
  });

  test('is read without a last line ending, and with LF line endings', async () => {
    expect(await parsed('a,b\nc,d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('is rejected for an unclosed quote and for text after a closing quote', async () => {
    await expect(parsed('a,"b')).rejects.toThrow(CsvError);
    await expect(parsed('"a"b\r\n')).rejects.toThrow(CsvError);
  });
});

describe('spreadsheet formulas', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'=1", "''=1"])('are prevented for %j', async (cell) => {
    const [[read = ''] = []] = await parsed(csvRecord([cell]));
    expect(read).toBe(`'${cell}`);
    expect(unguarded(read)).toBe(cell);
  });

  test.each(["'tis", 'a=b', '', "'", '1-1'])('need no change of %j', async (cell) => {
    const [[read = ''] = []] = await parsed(csvRecord([cell, 'x']));
    expect(read).toBe(cell);
    expect(unguarded(read)).toBe(cell);
  });
});
