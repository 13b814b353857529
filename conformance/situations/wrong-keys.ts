import type { RuleId } from '../../spec/rules.ts';
import type { Credential } from '../history/exchange.ts';
import type { Generate } from './situation.ts';

/** Placeholder: written by the area. */
export const credentials: readonly (readonly [Credential, RuleId])[] = [['none', 'auth/no-key-is-403']];

export const wrongKeys: Generate = function* ({ operations }) {
  for (const { id } of operations) {
    yield {
      id: `wrong-keys/${id}`,
      title: `${id} without a key`,
      feeds: credentials.map(([, rule]) => rule),
      uses: [id],
      async run(scene) {
        for (const { ask } of (await import('./lawful.ts')).lawfulAsks(id, scene.deployment, scene.newId))
          for (const [credential] of credentials) await scene.send({ ...ask, credential });
      },
    };
  }
};
