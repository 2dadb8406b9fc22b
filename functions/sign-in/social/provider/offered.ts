import { findFacts, type SocialProvider } from '../catalogue/find.ts';
import { findProviders } from './entity.ts';

/** A provider with the data for a button. */
export interface OfferedProvider {
  /** The value for GET /user_management/authorize. */
  provider: SocialProvider;
  name: string;
  /** True if it can be required to authenticate a signed-in user again. */
  reauthenticates: boolean;
}

/** The enabled providers of an environment, by name, by one strongly consistent Query. */
export async function socialProviders(environmentId: string): Promise<OfferedProvider[]> {
  const records = await findProviders(environmentId);
  return records.flatMap(({ id, enabled }) => {
    const facts = findFacts(id);
    return facts === undefined || !enabled
      ? []
      : [{ provider: id as SocialProvider, name: facts.name, reauthenticates: facts.reauthenticates !== false }];
  });
}

/** A configured provider, enabled or not. */
export interface ConfiguredSocialProvider {
  provider: SocialProvider;
  name: string;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** All configured providers of an environment, by name, by one strongly consistent Query. */
export async function configuredSocialProviders(environmentId: string): Promise<ConfiguredSocialProvider[]> {
  const records = await findProviders(environmentId);
  return records.flatMap(({ id, enabled, createdAt, updatedAt }) => {
    const name = findFacts(id)?.name;
    return name === undefined ? [] : [{ provider: id as SocialProvider, name, enabled, createdAt, updatedAt }];
  });
}
