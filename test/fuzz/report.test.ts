import { expect, test } from '@jest/globals';

import { printKind, readKinds } from './report.ts';

const failure = (id: number, title: string, status: number) =>
  `${id}. Test Case ID: x${id}\n\n- ${title}\n\n[${status}] Status:\n\n    \`{"code":"a"}\`\n\nReproduce with:\n\n    curl -X PUT /${id}\n`;
const report = `<?xml version="1.0"?><testsuites><testsuite>
  <testcase name="GET /a"/>
  <testcase name="PUT /b"><failure message="ST103">${failure(1, 'ST103 Undocumented status code', 422)}${failure(2, 'ST100 Server error', 500)}</failure></testcase>
  <testcase name="PUT /c"><failure message="ST103">${failure(1, 'ST103 Undocumented status code', 422)}</failure></testcase>
  <testcase name="PUT /d"><error message="error">Network error\n\nThe connection was closed</error></testcase>
</testsuite></testsuites>`;

test('each kind of failure is printed once, with its operations and one example', () => {
  const kinds = readKinds(report);
  expect(kinds.map(({ title, operations }) => [title, operations])).toEqual([
    ['ST103 Undocumented status code (422)', ['PUT /b', 'PUT /c']],
    ['ST100 Server error (500)', ['PUT /b']],
    ['Network error', ['PUT /d']],
  ]);
  const [first] = kinds.map(printKind);
  expect(first).toContain('2 operations\n  PUT /b\n  PUT /c');
  expect(first).toContain('curl -X PUT /1');
  expect(first).not.toContain('curl -X PUT /2');
});
