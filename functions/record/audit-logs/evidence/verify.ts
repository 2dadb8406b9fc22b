import { createHash } from 'node:crypto';

import { type CsvRecord, CsvError, isFormula, parseCsv, unguarded } from '../../../kernel/csv.ts';
import { type Finding, Findings } from './findings.ts';
import { MerkleTree } from './merkle.ts';
import { readLeaves, parseProofLine, type PortionEnd, type ProofLine } from './proof.ts';
import { COLUMNS } from './row.ts';
import { RowMatcher } from './row-matcher.ts';
import { SealChain } from './seal-chain.ts';
import { ExportStatement, isSignedBy, type Signed } from './statement.ts';
import { cutText } from '../../../kernel/text.ts';

/** The input of a verification. Each part is read from start to end once, the proof twice. */
export interface Evidence {
  /** The CSV's bytes. */
  csv: () => AsyncIterable<Uint8Array>;
  /** The proof's lines. */
  proof: () => AsyncIterable<string>;
  /**
   * The key that the reader trusts, PEM. Without it the proof's own key is used, which does not prove the identity of
   * the signer.
   */
  publicKey?: string | undefined;
}

/** The result of a verification. */
export interface Verdict {
  findings: readonly Finding[];
  /** The number of findings, if more were found than are listed. */
  count: number;
  /** The export's own statement, if its signature is valid. */
  statement: ExportStatement | undefined;
  publicKey: string;
}

/**
 * Verifies an export against its proof, offline: every row's hash against its leaf, the leaves against the roots, the roots
 * against the signed seals, the seals against each other, and the whole against the export's signed statement. Every row
 * that was changed, removed, added, moved or cut off is reported. It needs memory for the hashes of the largest segment, 32
 * bytes for each recorded event.
 */
export async function verifyExport(evidence: Evidence): Promise<Verdict> {
  const findings = new Findings();
  const known = await survey(evidence, findings);
  const csv = await csvRows(evidence, findings);
  const publicKey = evidence.publicKey ?? known.publicKey;
  const statement = known.statement && checkedStatement(publicKey, known.statement, findings);
  const matcher = new RowMatcher(
    csv.rows,
    known.portions,
    statement?.organization_id ?? known.organizationId,
    findings,
  );
  const chain = new SealChain(publicKey, statement, findings);
  await walkPortions(evidence, { matcher, chain, findings });
  await matcher.finish();
  if (statement !== undefined) {
    repeatStated(statement, findings);
    compareWhole(statement, known, matcher.rows, csv.hash(), findings);
  }
  const { list, count } = findings;
  return { findings: list, count, statement, publicKey };
}

interface Survey {
  publicKey: string;
  portions: string[];
  ends: string;
  statement: Signed | undefined;
  organizationId: string;
}

/** The first pass over the proof: it lists the segments and reads the statement. */
async function survey({ proof }: Evidence, findings: Findings): Promise<Survey> {
  const ends = createHash('sha256');
  const found: Survey = { publicKey: '', portions: [], ends: '', statement: undefined, organizationId: '' };
  for await (const text of proof()) {
    const line = readLine(text, findings);
    if (line === undefined) continue;
    if ('public_key' in line) found.publicKey = line.public_key;
    else if ('portion' in line) found.portions.push(line.portion);
    else if ('end' in line) ends.update(JSON.stringify(line));
    else if ('statement' in line) found.statement = line;
    found.organizationId ||= readOrganizationId('portion' in line ? line.seal : 'statement' in line ? line : undefined);
  }
  if (found.statement === undefined) findings.add('proof', 'The proof has no statement of the export: it was cut off.');
  found.ends = ends.digest('hex');
  return found;
}

/** The owner of the events, so that rows can be verified even if the statement's signature is invalid. */
function readOrganizationId(signed: Signed | undefined): string {
  try {
    const { organization_id: id } = JSON.parse(signed?.statement ?? '{}') as { organization_id?: unknown };
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

function readLine(text: string, findings: Findings): ProofLine | undefined {
  try {
    return parseProofLine(text);
  } catch {
    findings.add('proof', `A line of the proof cannot be read: ${cutText(text, 0, 60)}`);
    return undefined;
  }
}

function checkedStatement(publicKey: string, signed: Signed, findings: Findings): ExportStatement | undefined {
  if (!isSignedBy(publicKey, signed)) {
    findings.add('proof', 'The statement of the export is not signed by this key.');
    return undefined;
  }
  const parsed = ExportStatement.safeParse(JSON.parse(signed.statement));
  if (!parsed.success) findings.add('proof', 'The statement of the export has another form.');
  return parsed.data;
}

/**
 * The records of the CSV after its header line, with a hash over its bytes that is complete when all records have been
 * read.
 */
async function csvRows({ csv }: Evidence, findings: Findings) {
  const digest = createHash('sha256');
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const chunk of csv()) {
      digest.update(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }
  const records = parseCsv(texts());
  const head = await records.next().catch((error: unknown) => reportCsv(error, findings));
  const names = (head?.value as CsvRecord | undefined)?.cells.join(',');
  if (names !== COLUMNS.join(','))
    findings.add('format', `The first line does not name the columns ${COLUMNS.join(',')}`);
  async function* rows(): AsyncGenerator<CsvRecord, undefined> {
    try {
      for await (const { cells, line } of records) {
        const formula = cells.find(isFormula);
        if (formula !== undefined) {
          const text = cutText(formula, 0, 60);
          findings.add(
            'format',
            `Line ${line}: a spreadsheet runs “${text}” as a formula. The export had an apostrophe before it.`,
          );
        }
        yield { cells: cells.map(unguarded), line };
      }
    } catch (error) {
      reportCsv(error, findings);
    }
  }
  return { rows: rows(), hash: () => digest.digest('hex') };
}

function reportCsv(error: unknown, findings: Findings): undefined {
  if (!(error instanceof CsvError)) throw error;
  findings.add('format', error.message);
}

interface Walk {
  matcher: RowMatcher;
  chain: SealChain;
  findings: Findings;
}

/** Reads the proof a second time, segment by segment, together with the rows. */
async function walkPortions({ proof }: Evidence, { matcher, chain, findings }: Walk): Promise<void> {
  let name = '';
  let tree = new MerkleTree();
  let leaves: { hash: Buffer; isKept: boolean }[] = [];
  for await (const text of proof()) {
    // The first pass has reported unreadable lines.
    const line = readLine(text, new Findings());
    if (line === undefined) continue;
    if ('portion' in line) {
      name = line.portion;
      tree = new MerkleTree();
      leaves = [];
      chain.start(line);
    } else if ('leaves' in line) {
      for (const leaf of readLeaves(line)) {
        tree.append(leaf.hash);
        leaves.push(leaf);
      }
    } else if ('end' in line) {
      checkEnd(line, { name, tree, leaves }, findings);
      chain.end(line, leaves.length === 0);
      await matcher.portion(name, leaves);
    }
  }
}

function checkEnd(
  end: PortionEnd,
  { name, tree, leaves }: { name: string; tree: MerkleTree; leaves: readonly { isKept: boolean }[] },
  findings: Findings,
): void {
  const kept = leaves.filter(({ isKept }) => isKept).length;
  const isRight =
    end.end === name && end.size === tree.size && end.root === tree.root().toString('hex') && end.kept === kept;
  if (!isRight) findings.add('proof', `Segment ${name}: the hashes in the proof do not make the tree that it names.`);
}

/**
 * The service found these differences when it exported, and this verification did not find them: the proof was changed
 * since.
 */
function repeatStated(statement: ExportStatement, findings: Findings): void {
  const known = new Set(findings.list.map(({ message }) => message));
  for (const message of statement.findings) {
    if (!known.has(message)) findings.add('proof', `Stated by the service at the export: ${message}`);
  }
}

function compareWhole(
  statement: ExportStatement,
  known: Survey,
  rows: number,
  csvHash: string,
  findings: Findings,
): void {
  if (statement.portions !== known.portions.length || statement.portions_sha256 !== known.ends) {
    findings.add('proof', `The export was made of ${statement.portions} segments; the proof has others.`);
  }
  if (findings.count > 0) return;
  if (statement.rows !== rows) {
    findings.add('proof', `The export was made with ${statement.rows} rows; the file has ${rows}.`);
  } else if (statement.csv_sha256 !== csvHash) {
    findings.add('format', 'Every row is genuine and in its place, but the file was rewritten: its bytes differ.');
  }
}
