import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityResponse,
  SESv2Client,
} from '@aws-sdk/client-sesv2';

import { emailAddress } from '../../functions/kernel/address.ts';
import { hasSender, type StageSettings } from '../stack/settings.ts';
import { type AwsCalls, AwsError } from './aws-calls.ts';
import { type Finding, missing, ok } from './finding.ts';

/**
 * The sender of the stage: that of its deployed function, otherwise that of cdk.json.
 * @throws AwsError
 */
export async function readSender(aws: AwsCalls, { stage, mailFrom }: StageSettings): Promise<string> {
  const path = `/2015-03-31/functions/gatehouse-${stage}-messages-send/configuration`;
  try {
    const { Environment } = await aws.get<{ Environment?: { Variables?: Record<string, string> } }>('lambda', path);
    return Environment?.Variables?.GATEHOUSE_MAIL_FROM ?? mailFrom;
  } catch (error) {
    if (error instanceof AwsError && error.name === 'ResourceNotFoundException') return mailFrom;
    throw error;
  }
}

/** Checks whether SES knows the sender. */
export async function checkSender({ region }: AwsCalls, stage: string, mailFrom: string): Promise<Finding> {
  if (!hasSender({ mailFrom })) {
    return missing(
      'mail-sender',
      'no mail leaves the stage: it has no sender',
      `Have SES verify your domain, set "mailFrom" of ${stage} in cdk.json to an address of it, and deploy:`,
      `$ aws sesv2 create-email-identity --email-identity example.com --region ${region}`,
    );
  }
  const address = emailAddress(/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim());
  if (address === undefined) {
    return missing(
      'mail-sender',
      `"${mailFrom}" has no address that could send`,
      `Mend "mailFrom" of ${stage} in cdk.json.`,
    );
  }
  const client = new SESv2Client({ region });
  try {
    let unverified: [string, GetEmailIdentityResponse] | undefined;
    for (const name of listIdentities(address)) {
      const identity = await findIdentity(client, name);
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
  } finally {
    client.destroy();
  }
}

/** The identities by which SES may know an address: the address, its domain, and the domains above that. */
function listIdentities(address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
}

async function findIdentity(client: SESv2Client, EmailIdentity: string): Promise<GetEmailIdentityResponse | undefined> {
  return client.send(new GetEmailIdentityCommand({ EmailIdentity })).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'NotFoundException') return undefined;
    throw error;
  });
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
export async function checkSending({ region }: AwsCalls): Promise<Finding> {
  const client = new SESv2Client({ region });
  const account = await client.send(new GetAccountCommand({})).finally(() => client.destroy());
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
