/** Journal segments that actors share: one stays as long as any actor needs it. */
export interface Segments {
  /** Actors that pin the oldest segment once there are more than the store aims at. */
  laggards(): readonly string[]
  segmentCount(): number
}
