import Messages
import Papers
import Phrases
import Pictures
import ShiftLog

/// Photos reduced to the size of paper, by the SHA-256 of the file that the shift names. A photo
/// that isn't here is only named.
package typealias PaperPhotos = [[UInt8]: Picture]

extension ShiftState {
    /// The photos that its lists can show: those of the standing answers.
    package var photosOfLists: [Photo] {
        lists.templates.flatMap { results(of: $0.id) }.flatMap(\.photos).map(\.photo)
    }

    /// The photos of the tasks of a list.
    func blocks(_ results: [TaskResult], _ photos: PaperPhotos) -> [Paper.Block] {
        blocks(
            results.flatMap { result in
                result.photos.map {
                    ($0.photo, result.listed.task.title(in: language), $0.stamp)
                }
            }, photos)
    }

    /// The photos of to-dos.
    func blocks(_ todos: [Todo], _ photos: PaperPhotos) -> [Paper.Block] {
        blocks(todos.flatMap { todo in todo.photos.map { ($0, todo.title, todo.made) } }, photos)
    }

    private func blocks(
        _ found: [(photo: Photo, title: String, stamp: Stamp)], _ photos: PaperPhotos
    ) -> [Paper.Block] {
        let shown = found.compactMap { photo, title, stamp in
            photos[photo.checksum].map {
                Paper.Photo(
                    $0, title: title.shown, detail: joined([said(stamp), name(of: photo)]))
            }
        }
        return shown.isEmpty ? [] : [.heading(words.say(.photos)), .photos(shown)]
    }

    /// The name of a photo in the language of the site: `bilde 9f86d081884c`.
    func name(of photo: Photo) -> String {
        words.say(.photo, ["name": String(photo.digits.prefix(12))])
    }
}

extension TaskResult {
    /// The photos of the marks that stand, each with who took it and when.
    fileprivate var photos: [(photo: Photo, stamp: Stamp)] {
        standing.flatMap { mark in
            (mark.answer?.photos ?? []).map { ($0, mark.stamp) }
        }
    }
}
