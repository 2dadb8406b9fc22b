/**
 * `npm run verify-export -- FILE [--proof FILE] [--key PEM]`: checks an export of audit logs offline.
 *
 * FILE is the CSV; its proof is at FILE.proof by default. With `--key`, the public key from `GET
 * /x/audit_logs/evidence_key`, a success also proves the identity of the signer; without it the proof uses its own key.
 * Exit status: 0 valid, 1 invalid with a list of findings, 2 not checked.
 */
import { createHash, createPublicKey } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { verifyExport } from '../functions/audit-logs/evidence/verify.ts';

const USAGE = 'usage: npm run verify-export -- FILE [--proof FILE] [--key PUBLIC_KEY.pem]';

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { proof: { type: 'string' }, key: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    console.error(USAGE);
    return 2;
  }
  const proofFile = values.proof ?? `${file}.proof`;
  const verdict = await verifyExport({
    csv: () => createReadStream(file),
    proof: () => createInterface({ input: createReadStream(proofFile), crlfDelay: Infinity }),
    publicKey: values.key === undefined ? undefined : readFileSync(values.key, 'utf8'),
  });
  for (const { kind, message } of verdict.findings) console.log(`${kind.padEnd(9)}  ${message}`);
  const unlisted = verdict.count - verdict.findings.length;
  if (unlisted > 0) console.log(`and ${unlisted} more`);
  if (verdict.count > 0) {
    console.log(`\n${file}: NOT as it was exported (${verdict.count} findings)`);
    return 1;
  }
  const { statement } = verdict;
  console.log(`${file}: whole. ${statement?.rows ?? 0} rows of ${statement?.organization_id ?? ''}, as exported at`);
  console.log(`${statement?.exported_at ?? ''}, each as it was recorded, in the order in which they came in.`);
  if (statement !== undefined && statement.filters_sha256 !== null) {
    console.log('The export is filtered: its rows are genuine; that the filter was applied rightly is not shown.');
  }
  const der = createPublicKey(verdict.publicKey).export({ type: 'spki', format: 'der' });
  console.log(
    `Signed by the key with SHA-256 ${createHash('sha256').update(der).digest('hex')}${
      values.key === undefined
        ? ', which came with the proof: compare it, or name yours with --key.'
        : ', the one you named.'
    }`,
  );
  return 0;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
