import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../../kernel/durations.ts';
import { readCertificateEnd } from '../../../../kernel/egress/certificate.ts';
import { callOwnService } from '../../../../kernel/egress/own-service.ts';
import { settings } from '../../../../kernel/settings.ts';
import { type Finding, missing, ok, tried } from './finding.ts';
import { checkSender, checkSending } from './mail.ts';
import { recordDaily } from './record.ts';

/** Minimum days until the expiry of a certificate: AWS renews one 60 days before, so one with less time was not renewed. */
const RENEWED_DAYS = 30;

/**
 * Examines the stage from within, and stores what it found: whether the API responds at its public address with a certificate that was renewed, and
 * whether SES sends its mail. What needs rights over the account (quotas, stacks, DNS targets, receivers of alarms, SMS) only the
 * command `npm run doctor` examines.
 */
export async function examineDaily(): Promise<void> {
  const region = process.env.AWS_REGION ?? '';
  const found = await awaitAll([
    tried('response', checkResponse),
    tried('certificate', checkCertificate),
    tried('mail-sender', () => checkSender(region, settings().GATEHOUSE_MAIL_FROM, 'Mend "mailFrom" in cdk.json.')),
    tried('mail-sending', () => checkSending(region)),
  ]);
  await recordDaily(found.flat());
}

async function checkResponse(): Promise<Finding> {
  const { status } = await callOwnService({ method: 'GET', path: '/openapi.json' });
  const { GATEHOUSE_BASE_URL: url } = settings();
  return status === 200
    ? ok('response', `${url} responds`)
    : missing('response', `${url}/openapi.json responds with ${status}`);
}

/** Checks the certificate of the public address; nothing is found for a service without TLS. */
async function checkCertificate(): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(settings().GATEHOUSE_BASE_URL);
  if (protocol !== 'https:') return [];
  const end = await readCertificateEnd(hostname, port === '' ? undefined : Number(port));
  const days = Math.floor((end - clock.now()) / DAY_MS);
  return [
    days < RENEWED_DAYS
      ? missing('certificate', `that of ${hostname} ends in ${days} days and was not renewed`)
      : ok('certificate', `that of ${hostname} ends in ${days} days`),
  ];
}
