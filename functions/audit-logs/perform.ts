import { sealOrganization } from './evidence/seal.ts';
import { exports } from './export/entity.ts';
import { endExport, makeExport } from './export/make.ts';
import { enforceRetention } from './retention/enforce.ts';
import { deliverStream } from './stream/deliver.ts';
import type { Work } from './work.ts';

/** Does one piece of work; each may come twice, and is harmless then. */
export async function perform(work: Work): Promise<void> {
  switch (work.kind) {
    case 'seal':
      return sealOrganization(work.environment_id, work.organization_id, work.from);
    case 'export':
      return makeExport(work.environment_id, work.id);
    case 'end-export': {
      const record = await exports.get(work.environment_id, work.id);
      if (record?.state === 'ready') await endExport(record);
      return;
    }
    case 'retain':
      return enforceRetention(work.environment_id, work.organization_id);
    case 'stream':
      return deliverStream(work.environment_id, work.organization_id);
  }
}
