import { environments, type EnvironmentRecord } from '../../kernel/storage/environment.ts';
import { readTogether } from '../../kernel/storage/together.ts';
import { findProductionId, type TeamRecord, teams } from './entity.ts';
import type { EnvironmentKind } from './rules.ts';

/** A team with its environments; an environment whose rows are gone is undefined. */
export interface FoundTeam {
  team: TeamRecord;
  production: EnvironmentRecord | undefined;
}

const findEnvironmentRow = (id: string): Promise<EnvironmentRecord | undefined> => environments.get(id, id);

/** A team and its production environment, in one round trip: the id of one names the other. */
export async function findTeam(environmentId: string, id: string): Promise<FoundTeam | undefined> {
  const [team, production] = await readTogether(() =>
    Promise.all([teams.get(environmentId, id), findEnvironmentRow(findProductionId(id))]),
  );
  return team && { team, production };
}

/** The production environments of teams, in their order: one BatchGetItem. */
export const findProductions = (found: readonly TeamRecord[]): Promise<(EnvironmentRecord | undefined)[]> =>
  readTogether(() => Promise.all(found.map(({ id }) => findEnvironmentRow(findProductionId(id)))));

/** An environment of a team. Production was read with the team; staging is one more GetItem. */
export const findTeamEnvironment = async (
  { team, production }: FoundTeam,
  kind: EnvironmentKind,
): Promise<EnvironmentRecord | undefined> => (kind === 'production' ? production : findEnvironmentRow(team.stagingId));
