import type { Html } from '../../../kernel/pages/html.ts';
import { type Change, changeAct, type ChangeUse, renderChange } from '../page/change.ts';
import type { Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import type { List } from '../view/parts.ts';

/** The change of an order of priority, whose form lists the slugs of all roles. */
export const priorityAct = (use: ChangeUse): Change => changeAct({ ...use, label: 'Change the priority' });

/** The form of the order of priority of listed roles, which the API lists in this order. */
export const renderPriority = (visit: Visit, act: Change, part: Part<List<{ slug: string }>>): Html | undefined =>
  renderChange(
    visit,
    act,
    part.state === 'shown' ? { ...part, value: { role_slugs: part.value.data.map(({ slug }) => slug) } } : part,
    'Roles',
  );
