import { log } from '../../kernel/log.ts';
import { enqueue } from '../../kernel/queues.ts';
import { isTransient } from '../../kernel/storage/faults.ts';
import { endListExport } from '../modules/exports/public.ts';
import { sealOrganization } from './evidence/seal.ts';
import { exports } from './export/entity.ts';
import { endExport, makeExport } from './export/make.ts';
import { enforceRetention } from './retention/enforce.ts';
import { recordLine } from './event/operators-line.ts';
import { deliverStream } from './stream/deliver.ts';
import type { Work } from './work.ts';

/**
 * Number of times that work is postponed by this code. After that the queue delivers it again after its visibility
 * time-out, and finally moves it to its dead letters.
 */
const PUT_BACKS = 8;

/**
 * Performs one piece of work, whose message may arrive twice without harm. After a transient failure the work is postponed
 * for some seconds: the queue itself would deliver it again only after its visibility time-out.
 */
export async function perform(work: Work): Promise<void> {
  try {
    await follow(work);
  } catch (error) {
    const { put_back: putBack = 0 } = work;
    if (!isTransient(error) || putBack >= PUT_BACKS) throw error;
    log.warn('work waits for a part of the service', { kind: work.kind, error });
    const body: Work = { ...work, put_back: putBack + 1 };
    await enqueue('audit-logs', [{ body, delaySeconds: Math.min(300, 2 ** (putBack + 1)) }]);
  }
}

async function follow(work: Work): Promise<void> {
  switch (work.kind) {
    case 'record':
      return recordLine(work.line);
    case 'seal':
      return sealOrganization(work.environment_id, work.organization_id, work.from);
    case 'export':
      return makeExport(work.environment_id, work.id);
    case 'end-export': {
      const record = await exports.get(work.environment_id, work.id);
      if (record?.state === 'ready') await endExport(record);
      return;
    }
    case 'end-list-export':
      return endListExport(work.environment_id, work.id);
    case 'retain':
      return enforceRetention(work.environment_id, work.organization_id);
    case 'stream':
      return deliverStream(work.environment_id, work.organization_id);
  }
}
