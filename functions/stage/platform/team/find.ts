import { awaitAll } from '../../../kernel/concurrency.ts';
import { environments, type EnvironmentRecord } from '../../../kernel/storage/environment.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findProductionId, type TeamRecord, teams } from './entity.ts';
import type { EnvironmentKind } from './rules.ts';

/** A team with its environments; an environment is undefined if its rows were removed. */
export interface FoundTeam {
  team: TeamRecord;
  production: EnvironmentRecord | undefined;
}

const findEnvironmentRow = (id: string): Promise<EnvironmentRecord | undefined> => environments.get(id, id);

/** Finds a team and its production environment in one round trip, because their ids have the same ULID. */
export async function findTeam(environmentId: string, id: string): Promise<FoundTeam | undefined> {
  const [team, production] = await readTogether(() =>
    awaitAll([teams.get(environmentId, id), findEnvironmentRow(findProductionId(id))]),
  );
  return team && { team, production };
}

/** Finds the production environments of teams, in the order of the teams, with one BatchGetItem. */
export const findProductions = (found: readonly TeamRecord[]): Promise<(EnvironmentRecord | undefined)[]> =>
  readTogether(() => awaitAll(found.map(({ id }) => findEnvironmentRow(findProductionId(id)))));

/** Finds an environment of a team. Production was read with the team; staging takes one more GetItem. */
export const findTeamEnvironment = async (
  { team, production }: FoundTeam,
  kind: EnvironmentKind,
): Promise<EnvironmentRecord | undefined> => (kind === 'production' ? production : findEnvironmentRow(team.stagingId));
