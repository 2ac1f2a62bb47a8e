const author = {
  id: 25,
  username: 'rosa',
  name: 'Rosa Example',
  state: 'active',
  locked: false,
  avatar_url: 'https://gitlab.example.com/uploads/-/system/user/avatar/25/avatar.png',
  web_url: 'https://gitlab.example.com/rosa',
};

/** The JSON of a page of 100 events: pushes, comments and issues as they come in a busy project, about 80 KB. */
export function eventPage(page: number): string {
  return JSON.stringify(Array.from({ length: 100 }, (_, index) => eventOf((page - 1) * 100 + index + 1)));
}

function eventOf(id: number): Record<string, unknown> {
  const event = {
    id,
    project_id: 15,
    action_name: 'opened',
    target_id: id * 3,
    target_iid: id,
    target_type: 'Issue',
    target_title: `The door squeaks when it is opened for the ${id}th time`,
    created_at: '2026-02-09T10:43:19.667Z',
    author_id: 25,
    author,
    imported: false,
    imported_from: 'none',
    author_username: 'rosa',
  };
  switch (id % 3) {
    case 0:
      return event;
    case 1:
      return {
        ...event,
        action_name: 'commented on',
        target_type: 'Note',
        note: {
          id: id * 3,
          type: null,
          body: `I oiled the hinges, ${id} times now. It helps for a day, then the weather changes and it is back.`,
          attachment: null,
          author,
          created_at: '2026-02-09T10:43:19.438Z',
          updated_at: '2026-02-09T10:43:19.438Z',
          system: false,
          noteable_id: 377,
          noteable_type: 'Issue',
          project_id: 15,
          resolvable: false,
          confidential: false,
          internal: false,
          noteable_iid: 7,
        },
      };
    default:
      return {
        ...event,
        action_name: 'pushed to',
        target_id: null,
        target_iid: null,
        target_type: null,
        target_title: null,
        push_data: {
          commit_count: 1,
          action: 'pushed',
          ref_type: 'branch',
          commit_from: '50d4420237a9de7be1304607147aec22e4a14af7',
          commit_to: 'c5feabde2d8cd023215af4d2ceeb7a64839fc428',
          ref: 'main',
          commit_title: 'Oil the hinges of the front door',
          ref_count: null,
        },
      };
  }
}
