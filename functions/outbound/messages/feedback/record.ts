import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { log } from '../../../kernel/log.ts';
import { isOwnCause } from '../../../kernel/messages/cause.ts';
import { type MessageRecord, messages, recipientHash } from '../../../kernel/messages/entity.ts';
import { findTemplate } from '../../../kernel/messages/templates/index.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type NewSuppression, stageSuppression } from '../suppression/stage.ts';
import type { Bounce, Complaint, Report } from './report.ts';

/**
 * The error for a message that cannot be processed yet, which the queue retries. The reason is a code, because the error
 * text of SES can contain the address.
 */
export class MessagePostponed extends Error {
  override name = 'MessagePostponed';
}

/** The priority of a type of bounce: a report with a higher one replaces the previous report. */
const WEIGHT: Readonly<Record<Bounce['type'], number>> = { undetermined: 1, transient: 2, permanent: 3 };

/**
 * Records a report of SES about a mail: in its row, as events, and after a permanent bounce or a complaint as the state of
 * its address. A report is only accepted for a mail that was sent with that id of SES to that address, so no report can
 * affect another environment or an address to which no mail was sent. A redelivered report has no effect.
 * @throws MessagePostponed if the report arrives before the mail is marked as sent
 */
export function recordReport(report: Report): Promise<void> {
  return applyWork(report.environmentId, systemActor, async (unit) => {
    const { environmentId, id } = report;
    const [found, environment] = await awaitAll([
      messages.get(environmentId, id),
      environments.get(environmentId, environmentId),
    ]);
    const isClaimed = found?.state === 'queued' && (found.claimedUntil ?? 0) > clock.now();
    if (isClaimed) throw new MessagePostponed('reported before it was marked as sent');
    const isGone = environment === undefined || environment.deletedAt !== undefined;
    if (found === undefined || isGone || !isAbout(report, found)) {
      log.warn('report of no mail that was sent', { message_row: id, reported: report.outcome.kind });
      return;
    }
    if (report.outcome.kind === 'bounce') await stageBounce(unit, found, report.email, report.outcome);
    else await stageComplaint(unit, found, report.email, report.outcome);
  });
}

const isAbout = ({ environmentId, email, providerId }: Report, found: MessageRecord): boolean =>
  found.channel === 'email' &&
  found.state === 'sent' &&
  found.providerId === providerId &&
  found.recipient === recipientHash(environmentId, email);

async function stageBounce(unit: Unit, found: MessageRecord, email: string, bounce: Bounce): Promise<void> {
  if (found.bounce !== undefined && WEIGHT[found.bounce] >= WEIGHT[bounce.type]) return;
  const cause = { reason: 'bounce', detail: bounce.subType } as const;
  const suppressionId = bounce.type === 'permanent' ? await suppress(unit, found, email, cause) : null;
  unit.stage(messages.revise(found, { bounce: bounce.type }).write);
  unit.emit('email.bounced', {
    ...presentEmail(found, email),
    bounce_type: bounce.type,
    bounce_sub_type: bounce.subType ?? null,
    status: bounce.status ?? null,
    suppression_id: suppressionId,
  });
}

async function stageComplaint(unit: Unit, found: MessageRecord, email: string, { type }: Complaint): Promise<void> {
  // With this type (RFC 5965 section 7.3) the recipient reports that the mail is not spam.
  if (type === 'not-spam' || found.complained === true) return;
  // A complaint about mail that another party caused, such as an invitation, does not keep the reader from signing in.
  const sparesOwn = !isOwnCause(findTemplate(found.template)?.cause);
  const suppressionId = await suppress(unit, found, email, { reason: 'complaint', detail: type, sparesOwn });
  unit.stage(messages.revise(found, { complained: true }).write);
  unit.emit('email.complained', {
    ...presentEmail(found, email),
    complaint_type: type ?? null,
    suppression_id: suppressionId,
  });
}

const suppress = (
  unit: Unit,
  { environmentId, id }: MessageRecord,
  email: string,
  cause: Pick<NewSuppression, 'reason' | 'detail' | 'sparesOwn'>,
): Promise<string> =>
  stageSuppression(unit, {
    environmentId,
    email,
    recipient: recipientHash(environmentId, email),
    messageId: id,
    ...cause,
  });

/** The common members of every event about a mail. */
export const presentEmail = ({ id, template, createdAt }: MessageRecord, email: string) =>
  ({ object: 'email', id, email, template, created_at: createdAt }) as const;
