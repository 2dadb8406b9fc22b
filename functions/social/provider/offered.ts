import { factsOf, type SocialProvider } from '../catalogue/find.ts';
import { providersOf } from './entity.ts';

/** A provider as a button names it. */
export interface OfferedProvider {
  /** As GET /user_management/authorize takes it. */
  provider: SocialProvider;
  name: string;
  /** Whether it can be made to ask a person again who is signed in there. */
  reauthenticates: boolean;
}

/** The providers by which people can sign in to an environment, by name: one strongly consistent Query. */
export async function socialProviders(environmentId: string): Promise<OfferedProvider[]> {
  const records = await providersOf(environmentId);
  return records.flatMap(({ id, enabled }) => {
    const facts = factsOf(id);
    return facts === undefined || !enabled
      ? []
      : [{ provider: id as SocialProvider, name: facts.name, reauthenticates: facts.reauthenticates !== false }];
  });
}
