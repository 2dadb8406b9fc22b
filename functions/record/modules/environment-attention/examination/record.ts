import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../../kernel/clock.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import type { StageFinding } from '../attention/rules.ts';
import { EXAMINATION_KEY, type ExaminationRecord, examinations, findExamination } from './entity.ts';

/** The longest text of a finding in characters. */
const LONGEST = 1_000;

/** The findings that are stored: those that are not `ok`. */
const listStored = (found: readonly StageFinding[]): StageFinding[] =>
  found
    .filter(({ state }) => state !== 'ok')
    .map(({ name, state, text }) => ({ name, state, text: text.slice(0, LONGEST).toWellFormed() }));

/** Stores what an examination of the stage by the command found, in place of its former one. */
export const recordExamination = (found: readonly StageFinding[]): Promise<void> =>
  store(() => ({ examinedAt: clock.timestamp(), findings: listStored(found) }));

/** Stores what the daily examination found, in place of its former one. `dailyNames` are the names of what it has examined. */
export const recordDaily = (found: readonly StageFinding[]): Promise<void> =>
  store(() => ({
    dailyAt: clock.timestamp(),
    dailyFindings: listStored(found),
    dailyNames: [...new Set(found.map(({ name }) => name))],
  }));

async function store(
  makeContent: () => Partial<
    Pick<ExaminationRecord, 'examinedAt' | 'findings' | 'dailyAt' | 'dailyFindings' | 'dailyNames'>
  >,
): Promise<void> {
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    const former = await findExamination();
    const content = makeContent();
    unit.stage(
      former === undefined
        ? examinations.create({ ...EXAMINATION_KEY, ...content }).write
        : examinations.revise(former, content).write,
    );
  });
}
