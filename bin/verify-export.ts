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

import { verifyExport } from '../functions/record/audit-logs/evidence/verify.ts';
import { exitWithUsage, readOptions } from './usage.ts';

const USAGE = `usage: npm run verify-export -- FILE [--proof FILE] [--key PUBLIC_KEY.pem]
Checks offline that an export of audit logs was not altered. FILE is the CSV; --proof is FILE.proof by default. --key is the public
key of GET /x/audit_logs/evidence_key, which you stored before; without it the key in the proof is used. Exit status 0 if the export
is valid, 1 if it is not, 2 if it could not be checked.`;

async function run(): Promise<number> {
  const { values, positionals } = readOptions(USAGE, {
    allowPositionals: true,
    options: { proof: { type: 'string' }, key: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) exitWithUsage('Name one FILE', USAGE);
  const proofFile = values.proof ?? `${file}.proof`;
  const verdict = await verifyExport({
    csv: () => createReadStream(file),
    proof: () => createInterface({ input: createReadStream(proofFile), crlfDelay: Infinity }),
    publicKey: values.key === undefined ? undefined : readFileSync(values.key, 'utf8'),
  });
  for (const { kind, message } of verdict.findings) console.log(`${kind.padEnd(9)}  ${message}`);
  const unlisted = verdict.count - verdict.findings.length;
  if (unlisted > 0) console.log(`and ${unlisted} more findings`);
  if (verdict.count > 0) {
    console.log(`\n${file}: NOT valid: it differs from the export (${verdict.count} findings)`);
    return 1;
  }
  const { statement } = verdict;
  console.log(`${file}: valid. ${statement?.rows ?? 0} rows of ${statement?.organization_id ?? ''}`);
  console.log(
    `as exported at ${statement?.exported_at ?? ''}: every row is unchanged, and in the order of its recording.`,
  );
  if (statement !== undefined && statement.filters_sha256 !== null) {
    console.log(
      'The export is filtered: its rows are genuine, but the check does not show that the filter was applied correctly.',
    );
  }
  const der = createPublicKey(verdict.publicKey).export({ type: 'spki', format: 'der' });
  console.log(
    `Signed by the key with SHA-256 ${createHash('sha256').update(der).digest('hex')}${
      values.key === undefined
        ? ', which came with the proof. Compare it with your own copy, or pass your copy as --key.'
        : ', the key that you passed.'
    }`,
  );
  return 0;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
