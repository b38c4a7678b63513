// Photos on the page: taken with the camera, shown small, and enlarged.
import { build, loadScript, say } from "./live.js";

/** The most photos in an answer, and with a to-do. */
export const mostTogether = 5;

/** Why a photo can't be used, for a person to read; rethrows an error that is the page's own. */
function excuse(error) {
  if (error.kind === undefined) throw error;
  return error.kind === "photoTooLarge" ? say("photoTooLarge") : say("photoWrong");
}

export class Album {
  #shift;
  #shelf;
  /** The addresses of pictures, by checksum. */
  #addresses = new Map();
  #camera;
  /** Resolves once the photo that is being prepared is ready; to false if it can't be used. */
  preparing = Promise.resolve(true);

  /**
   * @param shift the id of the shift.
   * @param shelf the photos of this device.
   */
  constructor(shift, shelf) {
    this.#shift = shift;
    this.#shelf = shelf;
  }

  /** The address of a file that is on this device. */
  #name(checksum, file) {
    if (!this.#addresses.has(checksum)) {
      const blob = new Blob([file], { type: "image/jpeg" });
      this.#addresses.set(checksum, URL.createObjectURL(blob));
    }
    return this.#addresses.get(checksum);
  }

  /** Frees the memory of the pictures, once none of them is shown any more. */
  close() {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
  }

  /** Gives a picture its address: that of the file on this device, or else that of the service. */
  async #fill(picture, { checksum }) {
    if (!this.#addresses.has(checksum)) {
      const file = await this.#shelf.read(checksum).catch(() => null);
      if (file) this.#name(checksum, file);
      else this.#addresses.set(checksum, `/photos/${encodeURIComponent(this.#shift)}/${checksum}`);
    }
    // One that fails to load is requested again when the page is next drawn.
    picture.addEventListener("error", () => this.#addresses.delete(checksum), { once: true });
    picture.src = this.#addresses.get(checksum);
  }

  #picture(photo, text) {
    const picture = build(["img", {
      alt: text, width: String(photo.width), height: String(photo.height), decoding: "async",
    }]);
    this.#fill(picture, photo);
    return picture;
  }

  /**
   * A row of photos; pressing one enlarges it.
   *
   * @param title what they show.
   * @param remove called with the index of the photo to remove; null if none can be removed.
   * @param taken those that were taken just now and aren't kept yet.
   */
  row(photos, title, remove = null, taken = []) {
    for (const { photo, file } of taken) this.#name(photo.checksum, file);
    const row = build(["div", { class: "photos" }]);
    for (const [index, photo] of photos.entries()) {
      const name = say("photoOf", { number: index + 1, title });
      const open = build(["button", { type: "button", class: "photo", "aria-label": name }]);
      open.append(this.#picture(photo, ""));
      open.addEventListener("click", () => this.show(photo, name));
      const box = build(["div", { "data-key": photo.checksum }]);
      box.append(open);
      if (remove) {
        const label = `${say("removePhoto")}: ${name}`;
        const button = build(
          ["button", { type: "button", class: "quiet", "aria-label": label }, say("removePhoto")]);
        button.addEventListener("click", () => remove(index));
        box.append(button);
      }
      row.append(box);
    }
    return row;
  }

  /** Shows a photo as large as the screen allows. */
  show(photo, name) {
    const dialog = build(["dialog", { class: "photo", "aria-label": name }]);
    const close = build(["button", { type: "button", class: "main" }, say("closePhoto")]);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    dialog.append(this.#picture(photo, name), build(["p", {}, name]), close);
    document.body.append(dialog);
    dialog.showModal();
  }

  /** A button that opens the camera. `done` is called with a prepared photo, `failed` with the reason
   *  why there is none. */
  button(name, text, done, failed) {
    const button = build(["button", { type: "button", class: name }, text]);
    button.addEventListener("click", () => {
      this.#camera?.remove();
      // The field stays in the page while the camera is open, whatever else is shown meanwhile.
      const camera = build(["input", {
        type: "file", accept: "image/*", capture: "environment", hidden: "", "aria-label": text,
      }]);
      this.#camera = camera;
      document.body.append(camera);
      camera.addEventListener("change", async () => {
        const [file] = camera.files;
        camera.remove();
        if (!file) return;
        button.disabled = true;
        let isMade = false;
        let end;
        this.preparing = new Promise((resolve) => { end = resolve; });
        try {
          // If the script is missing, this browser hasn't kept it, and there is no network.
          const photos = await loadScript("photos.js");
          if (!photos) return failed(say("noContact"));
          const made = await photos.prepare(file);
          isMade = true;
          await done(made);
        } catch (error) {
          failed(excuse(error));
        } finally {
          button.disabled = false;
          end(isMade);
          this.preparing = Promise.resolve(true);
        }
      });
      camera.click();
    });
    return button;
  }
}

/** The photos with one added; null if it is among them already, or if there is no room. */
export function joined(photos, photo) {
  if (photos.length >= mostTogether) return null;
  return photos.some(({ checksum }) => checksum === photo.checksum) ? null : [...photos, photo];
}
