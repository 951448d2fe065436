import { imageOf, stateFrom } from '../../src/core/model/state-image.ts'
import { World } from './world.ts'

/** What an actor holds after a restart: its image read back, nothing else. */
export function reloaded(world: World): World {
  const back = new World('default', 'default', stateFrom(imageOf(world.state)))
  back.nowMs = world.nowMs
  back.guides.push(...world.guides)
  back.turns.push(...world.turns)
  for (let made = 0; made < world.memoryIds.length; made++) back.newId()
  return back
}
