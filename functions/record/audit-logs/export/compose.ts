import { createHash } from 'node:crypto';

import { csvRecord } from '../../../kernel/csv.ts';
import { Findings } from '../evidence/findings.ts';
import { ProofWriter } from '../evidence/proof.ts';
import { COLUMNS, type EvidenceRow, hashLeaf, listTexts } from '../evidence/row.ts';
import { SealChain } from '../evidence/seal-chain.ts';
import type { ExportStatement, Signed } from '../evidence/statement.ts';

/** A segment in the form that an export reads. */
export interface SourcePortion {
  /** The segment's number, or `open` for an hour that is not sealed yet. */
  name: string;
  seal: Signed | undefined;
  /** The rows of the segment in their order; undefined if no part of it is in the range. */
  rows: AsyncIterable<EvidenceRow> | undefined;
}

/** The destinations of the parts of an export: each call resolves when there is room for more. */
export interface Sink {
  csv: (bytes: Uint8Array) => Promise<void>;
  proof: (bytes: Uint8Array) => Promise<void>;
}

/** The part of an export's statement that is known before its rows. */
export type ExportHead = Omit<
  ExportStatement,
  'format' | 'rows' | 'csv_sha256' | 'portions' | 'portions_sha256' | 'findings'
>;

/** The content of an export. */
export interface Composition {
  head: ExportHead;
  portions: AsyncIterable<SourcePortion>;
  isWanted: (row: EvidenceRow) => boolean;
  publicKey: string;
  /**
   * Signs the export's statement.
   * @returns the signature in base64
   */
  sign: (statement: string) => Promise<string>;
}

/** Bytes collected before they are written, since many small writes would take more time than the rows. */
const CHUNK_BYTES = 262_144;

/** The result of an export. */
export interface Composed {
  rows: number;
  /** Sentences about segments that contradict their seals; the signed statement contains them too. */
  findings: readonly string[];
}

/**
 * Writes an export and its proof row by row, so that memory does not grow with either. Each segment is verified against its
 * seal while it is read. A segment that was changed after sealing is exported as it is, and the signed statement reports
 * it.
 */
export async function composeExport(
  { head, portions, isWanted, publicKey, sign }: Composition,
  sink: Sink,
): Promise<Composed> {
  const digest = createHash('sha256');
  const csv = gathered(async (bytes) => {
    digest.update(bytes);
    await sink.csv(bytes);
  });
  const proofText = gathered(sink.proof);
  const proof = new ProofWriter(proofText.write);
  const found = new Findings();
  const chain = new SealChain(publicKey, head, found);
  let rows = 0;
  await proof.open(publicKey);
  await csv.write(csvRecord(COLUMNS));
  for await (const { name, seal, rows: source } of portions) {
    const skipped = source === undefined;
    chain.start({ portion: name, seal, skipped });
    await proof.startPortion(name, seal, skipped);
    let position = 0;
    for await (const row of source ?? []) {
      const isKept = isWanted(row);
      await proof.leaf(hashLeaf(head.organization_id, row), isKept);
      if (isKept) {
        rows += 1;
        await csv.write(csvRecord([...listTexts(row), name, String(position)]));
      }
      position += 1;
    }
    chain.end(await proof.endPortion(), position === 0);
  }
  await csv.flush();
  const findings = found.list.map(({ message }) => message);
  const statement = JSON.stringify({
    format: 'gatehouse-audit-export/2',
    ...head,
    rows,
    csv_sha256: digest.digest('hex'),
    portions: proof.portions,
    portions_sha256: proof.portionsHash(),
    findings,
  } satisfies ExportStatement);
  await proof.close({ statement, signature: await sign(statement) });
  await proofText.flush();
  return { rows, findings };
}

/** Joins small texts into larger ones. */
function gathered(hand: (bytes: Uint8Array) => Promise<void>) {
  let texts: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(texts.join(''));
    texts = [];
    length = 0;
    if (bytes.length > 0) await hand(bytes);
  };
  const write = async (text: string): Promise<void> => {
    texts.push(text);
    length += text.length;
    if (length >= CHUNK_BYTES) await flush();
  };
  return { write, flush };
}
