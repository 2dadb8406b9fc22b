import { closeBlobClient } from '../../functions/kernel/blobs/client.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { region } from './aws-json.ts';
import { type Dependency, endpointVariables } from './proxy/dependency.ts';

/** What the runtime gives functions where the person has not set it. */
const DEFAULTS: Readonly<Record<string, string>> = {
  /** Clocks of one machine do not differ; a commit takes milliseconds. */
  GATEHOUSE_EVENT_HORIZON_MS: '250',
  /** Receivers and identity providers of a laptop stand on loopback. */
  GATEHOUSE_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
  GATEHOUSE_LOG_LEVEL: 'info',
};

/** Variables by which an AWS client could find a person's own account. */
const FOREIGN = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE'];

/**
 * Gives this process the environment in which the functions find the engines and nothing else: whatever account the
 * person's shell names is out of their reach.
 */
export function setVariables(urls: Readonly<Record<Dependency, string>>, own: Readonly<Record<string, string>>): void {
  for (const name of FOREIGN) delete process.env[name];
  for (const [name, value] of Object.entries(DEFAULTS)) process.env[name] ??= value;
  for (const [dependency, url] of Object.entries(urls)) process.env[endpointVariables[dependency as Dependency]] = url;
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
    GATEHOUSE_STAGE: 'local',
    ...own,
  });
  forgetSettings();
  closeTableClient();
  closeBlobClient();
}

/** The variables of this process by which a command reaches what its functions reach. */
export function givenVariables(): Record<string, string> {
  const given = /^(GATEHOUSE_|AWS_ENDPOINT_URL_|AWS_REGION$|AWS_ACCESS_KEY_ID$|AWS_SECRET_ACCESS_KEY$)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => given.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}
