import type { GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';

import { emailAddress } from '../../../../kernel/address.ts';
import { type Finding, missing, ok } from './finding.ts';

/** Checks whether SES knows the sender. @param mailFrom `Name <address>` or an address @param mend The step that changes it */
export async function checkSender(region: string, mailFrom: string, mend: string): Promise<Finding> {
  const address = emailAddress(/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim());
  if (address === undefined) return missing('mail-sender', `"${mailFrom}" has no address that could send`, mend);
  const { readIdentity } = await import('../ses/apart.ts');
  let unverified: [string, GetEmailIdentityResponse] | undefined;
  for (const name of listIdentities(address)) {
    const identity = await readIdentity(region, name);
    if (identity?.VerifiedForSendingStatus === true) return ok('mail-sender', `SES verified ${name} for ${address}`);
    if (identity !== undefined) unverified ??= [name, identity];
  }
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (unverified !== undefined)
    return missing('mail-sender', `${unverified[0]} is not verified`, ...describeProof(...unverified));
  return missing(
    'mail-sender',
    `SES knows neither ${address} nor its domain`,
    `$ aws sesv2 create-email-identity --email-identity ${domain} --region ${region}`,
    'Then call this command again: it prints the DNS records that prove the domain.',
  );
}

/** The identities by which SES may know an address: the address, its domain, and the domains above that. */
function listIdentities(address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
}

function describeProof(name: string, { IdentityType, DkimAttributes }: GetEmailIdentityResponse): string[] {
  if (IdentityType === 'EMAIL_ADDRESS') return [`Open the link of the mail that SES sent to ${name}.`];
  const tokens = DkimAttributes?.Tokens ?? [];
  return [
    `Add these DNS records to ${name}; SES looks for them within minutes, and for three days:`,
    ...tokens.map((token) => `${token}._domainkey.${name} CNAME ${token}.dkim.amazonses.com`),
  ];
}

/** Checks whether SES sends to all addresses. */
export async function checkSending(region: string): Promise<Finding> {
  const { readAccount } = await import('../ses/apart.ts');
  const account = await readAccount(region);
  const { ProductionAccessEnabled, SendingEnabled, EnforcementStatus, SendQuota } = account;
  const most = SendQuota?.Max24HourSend ?? 0;
  if (SendingEnabled === false || EnforcementStatus === 'SHUTDOWN') {
    return missing(
      'mail-sending',
      'SES has paused the account',
      'Read why in the console of SES, "Account dashboard", and reply to its case.',
    );
  }
  if (ProductionAccessEnabled !== true) {
    return missing(
      'mail-sending',
      `SES is in its sandbox: mail goes to verified addresses only, ${most} a day`,
      '$ aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL ' +
        `--website-url https://example.com --contact-language EN --region ${region}`,
      'AWS replies within a day. Until then verify the addresses you try with:',
      `$ aws sesv2 create-email-identity --email-identity you@example.com --region ${region}`,
    );
  }
  if (EnforcementStatus === 'PROBATION') {
    return missing(
      'mail-sending',
      'SES reviews the account: too much mail bounced or was complained of',
      'Reply to the case in the console of SES.',
    );
  }
  return ok('mail-sending', `SES sends to all addresses, ${most} mails a day`);
}

/** Checks whether SES sends as many mails a second as a stage needs at its peak. @param needed mails a second */
export async function checkSendingRate(region: string, needed: number): Promise<Finding> {
  const { readAccount } = await import('../ses/apart.ts');
  const rate = (await readAccount(region)).SendQuota?.MaxSendRate ?? 0;
  const text = `${rate} mails a second by SES; the stated load needs ${needed}`;
  if (rate >= needed) return ok('quota-mail', text);
  return missing(
    'quota-mail',
    `only ${text}`,
    '$ aws service-quotas request-service-quota-increase --service-code ses --quota-code L-CDEF9B6B ' +
      `--desired-value ${needed} --region ${region}`,
  );
}
