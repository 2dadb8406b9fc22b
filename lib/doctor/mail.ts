import { checkSender, type Finding, missing } from '../../functions/record/modules/environment-attention/public.ts';
import { hasSender, type StageSettings } from '../stack/settings.ts';
import { type AwsCalls, AwsError } from './aws-calls.ts';

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

/** Checks whether SES knows the sender of the stage. */
export async function checkStageSender({ region }: AwsCalls, stage: string, mailFrom: string): Promise<Finding> {
  if (hasSender({ mailFrom })) return checkSender(region, mailFrom, `Mend "mailFrom" of ${stage} in cdk.json.`);
  return missing(
    'mail-sender',
    'no mail leaves the stage: it has no sender',
    `Have SES verify your domain, set "mailFrom" of ${stage} in cdk.json to an address of it, and deploy:`,
    `$ aws sesv2 create-email-identity --email-identity example.com --region ${region}`,
  );
}
