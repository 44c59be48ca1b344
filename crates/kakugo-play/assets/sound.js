// The sound of a stone on wood: a short knock, synthesized.

let context;

export function knock() {
  context ??= new AudioContext();
  // Browsers play no sound before the first interaction.
  if (context.state === 'suspended') context.resume();
  const rate = context.sampleRate;
  const samples = Math.round(rate * .06);
  const buffer = context.createBuffer(1, samples, rate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < samples; i++) {
    const fade = Math.exp(-i / (rate * .009));
    wave[i] = fade * (.5 * Math.sin(2 * Math.PI * 1150 * i / rate) + .3 * (2 * Math.random() - 1));
  }
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}
