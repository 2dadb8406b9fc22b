import { describe, expect, test } from '@jest/globals';

import { CsvError, csvRecord, parseCsv, unguarded } from '../../../functions/audit-logs/evidence/csv.ts';

async function parsed(...chunks: string[]): Promise<string[][]> {
  const records: string[][] = [];
  for await (const { cells } of parseCsv(chunks)) records.push(cells);
  return records;
}

describe('CSV of RFC 4180', () => {
  test('quotes fields with commas, quotes and line breaks, doubles quotes, ends records with CRLF', () => {
    expect(csvRecord(['a', 'b,c', 'd"e', 'f\r\ng', ''])).toBe('a,"b,c","d""e","f\r\ng",\r\n');
  });

  test('reads back what it wrote, wherever the text is cut into chunks', async () => {
    const rows = [
      ['plain', 'with, comma', 'with "quotes"', 'two\r\nlines', ''],
      ['', '"', '""', '\n', 'ünï😀'],
    ];
    const text = rows.map(csvRecord).join('');
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(await parsed(text.slice(0, cut), text.slice(cut))).toEqual(rows);
    }
  });

  test('reports the line on which a record starts, past records of several lines', async () => {
    const lines: number[] = [];
    for await (const { line } of parseCsv(['a\r\n"b\r\nb"\r\nc\r\n'])) lines.push(line);
    expect(lines).toEqual([1, 2, 4]);
  });

  test('reads a last record without a line end, and lines that end with LF', async () => {
    expect(await parsed('a,b\nc,d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('rejects a quote that never ends and text after one that did', async () => {
    await expect(parsed('a,"b')).rejects.toThrow(CsvError);
    await expect(parsed('"a"b\r\n')).rejects.toThrow(CsvError);
  });
});

describe('spreadsheet formulas', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'=1", "''=1"])('take %j as text', async (cell) => {
    const [[read = ''] = []] = await parsed(csvRecord([cell]));
    expect(read).toBe(`'${cell}`);
    expect(unguarded(read)).toBe(cell);
  });

  test.each(["'tis", 'a=b', '', "'", '1-1'])('leave %j as it is', async (cell) => {
    const [[read = ''] = []] = await parsed(csvRecord([cell, 'x']));
    expect(read).toBe(cell);
    expect(unguarded(read)).toBe(cell);
  });
});
