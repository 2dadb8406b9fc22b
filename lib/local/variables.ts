import { closeBlobClient } from '../../functions/kernel/blobs/client.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { region } from './aws-json.ts';
import { type Dependency, endpointVariables } from './proxy/dependency.ts';

/** Default variables of functions; the developer's values override them. */
const DEFAULTS: Readonly<Record<string, string>> = {
  /** A short time, because the clocks of one machine do not differ and a commit takes milliseconds. */
  GATEHOUSE_EVENT_HORIZON_MS: '250',
  /** Receivers and identity providers on a developer's machine use loopback. */
  GATEHOUSE_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
  GATEHOUSE_LOG_LEVEL: 'info',
};

/** Variables with which an AWS client could find a developer's own account. */
const FOREIGN = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE'];

/**
 * Sets this process's environment so that functions find the engines and nothing else: any AWS account in the
 * developer's shell is removed from it.
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

/** The variables with which a command reaches the engines of the functions. */
export function givenVariables(): Record<string, string> {
  const given = /^(GATEHOUSE_|AWS_ENDPOINT_URL_|AWS_REGION$|AWS_ACCESS_KEY_ID$|AWS_SECRET_ACCESS_KEY$)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => given.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}
