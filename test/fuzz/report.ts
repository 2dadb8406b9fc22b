import { DOMParser } from '@xmldom/xmldom';

/** Maximum printed length of a line of an example, since some requests have many thousand characters. */
const LINE = 600;

/** Failures with the same title and status. */
interface Kind {
  title: string;
  operations: string[];
  /** The text of the first failure, with its request and its response. */
  example: string;
}

/**
 * Groups the failures of a JUnit report of schemathesis. It writes this report also if its output in the terminal breaks.
 * @returns one kind for each title and response status, in the order of the report
 */
export function readKinds(report: string): Kind[] {
  const kinds = new Map<string, Kind>();
  const tests = Array.from(new DOMParser().parseFromString(report, 'text/xml').getElementsByTagName('testcase'));
  for (const { operation, text, title } of tests.flatMap(listFailures)) {
    const kind = kinds.get(title) ?? { title, operations: [], example: text };
    kinds.set(title, kind);
    if (!kind.operations.includes(operation)) kind.operations.push(operation);
  }
  return [...kinds.values()];
}

/** The failures of an operation. The text of a failure has its request; one request can have several failures. */
function listFailures(test: Element): { operation: string; text: string; title: string }[] {
  const operation = test.getAttribute('name') ?? '';
  return listTexts(test).flatMap((text) => {
    const [, status] = /^\[(\d{3})\]/m.exec(text) ?? [];
    const named = Array.from(text.matchAll(/^- (ST\d+ .+)$/gm), ([, title = '']) => title);
    const titles = named.length > 0 ? named : text.split('\n', 1);
    return titles.map((title) => ({ operation, text, title: status === undefined ? title : `${title} (${status})` }));
  });
}

/** The texts of the failures and errors of an operation, each with its own request. */
function listTexts(test: Element): string[] {
  const nodes = ['failure', 'error'].flatMap((name) => Array.from(test.getElementsByTagName(name)));
  return nodes.flatMap(({ textContent }) => (textContent ?? '').split(/^(?=\d+\. Test Case ID)/m)).filter(Boolean);
}

/** Prints a kind, with the names of its operations and one example. */
export function printKind({ title, operations, example }: Kind): string {
  const lines = example.trimEnd().split('\n');
  const cut = lines.map((line) => (line.length > LINE ? `${line.slice(0, LINE)}… (${line.length} characters)` : line));
  return `${title}: ${operations.length} operations\n  ${operations.join('\n  ')}\n\n${cut.join('\n')}\n`;
}
