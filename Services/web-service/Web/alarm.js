// The sound of an alarm, made by the page itself. It is planned on the clock of the audio hardware:
// a page in the background is slowed down, and its timers with it, but not its sound.

/** How long a planned alarm sounds until it is planned again, in seconds. */
const length = 120;

export class Alarm {
  #context = null;
  #planned = [];

  /** True when it can be heard, as far as a page can know. */
  get isReady() {
    return this.#context?.state === "running";
  }

  /**
   * Unlocks sound, which browsers allow only in answer to a tap, and proves it by a short tone.
   *
   * @param isHeard false to prove nothing.
   * @returns true when this device will ring.
   */
  async unlock(isHeard = true) {
    try {
      this.#context ??= new AudioContext();
      // On an iPhone a sound of this kind is not muted by the switch at its side.
      if (navigator.audioSession) navigator.audioSession.type = "playback";
      await this.#context.resume();
      if (isHeard) this.chime(0.2, 1, 660);
    } catch {
      return false;
    }
    return this.isReady;
  }

  /** One planned sound: pulses whose loudness a function of the second gives. */
  #tone(start, seconds, pitch, loudness) {
    const context = this.#context;
    const [source, gain] = [context.createOscillator(), context.createGain()];
    source.type = "square";
    source.frequency.value = pitch;
    gain.gain.value = 0;
    if (seconds < 1) {
      gain.gain.setValueAtTime(loudness(0), start);
    } else {
      for (let second = 0; second < seconds; second += 1) {
        const [on, off] = [second % 2 ? 0.15 : 0.35, second % 2 ? 0.5 : 0.85];
        gain.gain.setValueAtTime(loudness(second), start + second + on - 0.15);
        gain.gain.setValueAtTime(0, start + second + off - 0.15);
      }
    }
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + seconds);
    return source;
  }

  /** Sounds a few times for a moment.
   *
   * @param loudness from 0 to 1, all that the device gives.
   */
  chime(loudness, times = 3, pitch = 880) {
    if (!this.isReady) return;
    for (let time = 0; time < times; time += 1) {
      this.#tone(this.#context.currentTime + time * 0.4, 0.15, pitch, () => loudness);
    }
  }

  /**
   * Plans what sounds, in place of what was planned before.
   *
   * @param list `{ stage, delay }` each, the delay in milliseconds from now.
   */
  plan(list) {
    this.stop();
    if (!this.#context) return;
    for (const { stage, delay } of list) {
      const start = this.#context.currentTime + Math.max(0, delay) / 1000;
      // Rising within ten seconds to all that the device gives.
      const loudness = (second) => Math.min(1, 0.25 + second * 0.075);
      this.#planned.push(this.#tone(start, length, stage === "now" ? 1320 : 880, loudness));
    }
  }

  /** Ends all sound, and what was planned. */
  stop() {
    for (const source of this.#planned) {
      try { source.stop(); } catch { /* it had ended */ }
    }
    this.#planned = [];
  }
}
